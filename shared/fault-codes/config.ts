import { type FaultRow, never } from "./fault-row.js";

export const configFaults = {
  "config.invalid": never(
    ["The config is wrong.", "Ошибка в настройках."],
    ["Correct the named places: `fiscald check-config`.", "Исправьте указанное; проверка: `fiscald check-config`."],
  ),
  "config.default-tax": never(
    ["The register's default tax is not set or not in its table.", "Ставка по умолчанию не задана или её нет в кассе."],
    [
      "Tell the site's developer: the site has to name the good's tax. Or set `defaultTax` of the register to an id of its list, which `fiscald sync` shows.",
      "Сообщите разработчику сайта: ставку НДС товара должен передать сайт. Или укажите её номер в `defaultTax` кассы: список покажет `fiscald sync`.",
    ],
  ),
  "config.not-found": never(
    ["The config file cannot be read.", "Файл настроек не читается."],
    [
      "Name it by --config, or make one: `fiscald init`, or in the browser: `fiscald console`.",
      "Укажите путь (`--config`) или создайте: `fiscald init`, или в браузере: `fiscald console`.",
    ],
  ),
  "config.no-right": never(
    ["This user may not read the config.", "У этого пользователя нет права читать файл настроек."],
    [
      "Run the command with sudo; on Windows in a prompt that was opened as administrator. Started as a service: give its user the right to read the file.",
      "Запустите команду через `sudo`, в Windows — в окне, открытом от имени администратора. Для службы: дайте её пользователю право читать файл.",
    ],
  ),
  "config.not-written": never(
    ["The config cannot be written.", "Файл настроек не записывается."],
    [
      "Free the disk where it is full; run a command with sudo, on Windows in a prompt that was opened as administrator. The page: give the user of the service the right to write the config and its folder, or change the file by hand and start fiscald again.",
      "Если диск заполнен, освободите его; команду запустите через `sudo`, в Windows — в окне, открытом от имени администратора. Для страницы: дайте пользователю службы право записи в файл настроек и его папку или измените файл вручную и перезапустите fiscald.",
    ],
  ),
} as const satisfies Record<`config.${string}`, FaultRow>;
