/** Faults of the program itself, its command line, its daemon and its service. */
import { afterHelp, type FaultRow, never, repeat, reportUs, unsure } from "./fault-row.js";

export const programFaults = {
  "usage.wrong": never(
    ["The command was used wrongly.", "Неверное использование команды."],
    ["Help: the same command with `--help`.", "Справка: та же команда с ключом `--help`."],
  ),
  "usage.repeated": never(
    ["This was done less than a minute ago.", "Это уже сделано меньше минуты назад."],
    ["Look at what came of it, or ask again in a minute.", "Посмотрите, что вышло, или повторите через минуту."],
  ),
  "usage.package-missing": never(
    ["A package that this needs is not installed.", "Не установлен пакет, который для этого нужен."],
    ["Install the named package: `npm install NAME`.", "Установите названный пакет: `npm install ИМЯ`."],
  ),
  "daemon.unreachable": repeat(
    ["The running daemon cannot be reached.", "Работающий демон недоступен."],
    ["Check that it runs and that the token file can be read.", "Проверьте, что он запущен и файл токена читается."],
  ),
  "daemon.other-version": afterHelp(
    ["The running daemon is of another version than this command.", "Работающий демон другой версии, чем эта команда."],
    ["Restart the daemon: a begun receipt is finished first.", "Перезапустите демон: начатый чек допечатается."],
  ),
  "daemon.port-busy": afterHelp(
    [
      "A TCP port that this start needs cannot be opened: another program has it, or its address is not there (yet).",
      "Нужный для запуска порт TCP не открывается: он занят другой программой, или его адреса (пока) нет.",
    ],
    [
      "End that program (perhaps another fiscald), wait for the network, or correct the config key that is named.",
      "Закройте эту программу (возможно, другой fiscald), дождитесь сети или исправьте названный ключ настроек.",
    ],
  ),
  "daemon.not-allowed": never(
    ["The operator's role may not do this.", "Это действие не разрешено роли оператора."],
    [
      "Ask the administrator: `fiscald console` under the daemon's own user opens the page with all actions.",
      "Обратитесь к администратору: `fiscald console` от имени пользователя службы открывает страницу со всеми действиями.",
    ],
  ),
  "daemon.console-closed": afterHelp(
    [
      "The console does not accept the token in the token file, or the daemon of another config listens on its port.",
      "Консоль не принимает токен из файла, или её порт занят демоном с другими настройками.",
    ],
    [
      "Correct or delete the token file (of the daemon's own user, 0600, at least 16 characters) and restart the daemon.",
      "Исправьте или удалите файл токена (владелец — пользователь демона, права 0600, не менее 16 знаков) и перезапустите демон.",
    ],
  ),
  "daemon.alert-failed": repeat(
    ["A word to a person could not be sent.", "Не удалось отправить человеку сообщение о неполадке."],
    ["Check `alerts` in the config and this machine's network.", "Проверьте `alerts` в настройках и сеть компьютера."],
  ),
  "service.failed": afterHelp(
    ["The system refused a step of installing the service.", "Система отказала в установке службы."],
    ["`fiscald service install --dry-run` shows all steps.", "Все шаги покажет `fiscald service install --dry-run`."],
  ),
  internal: unsure(["A mistake in the program.", "Ошибка в программе."], reportUs),
} as const satisfies Record<`usage.${string}` | `daemon.${string}` | `service.${string}` | "internal", FaultRow>;
