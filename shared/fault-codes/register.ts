/** Faults that this program finds about a register; device.ts has the faults that the register itself reports. */
import { afterHelp, type FaultRow, never, repeat, retriesByItself } from "./fault-row.js";

export const registerFaults = {
  "register.unknown-kkm": never(
    ["No register with this kkm is configured.", "Касса с таким регистрационным номером не настроена."],
    ["Check `kkm` in the order against the registers.", "Сверьте номер кассы в заказе (`kkm`) со списком касс."],
    1,
  ),
  "register.foreign-identity": afterHelp(
    ["The device on this connection is not the register it was.", "На этом подключении другая касса."],
    [
      "Connect the right register or accept the new one. The command: `fiscald accept-identity`.",
      "Подключите нужную кассу или подтвердите новую. Команда: `fiscald accept-identity`.",
    ],
  ),
  "register.not-set-up": afterHelp(
    ["The register's entry in the config lacks something.", "В настройках кассы чего-то не хватает."],
    [
      "Add what is named to `registers[]` of the config and restart fiscald; other registers print meanwhile.",
      "Допишите указанное в `registers[]` настроек и перезапустите fiscald; остальные кассы печатают.",
    ],
  ),
  "register.alters-receipts": repeat(
    [
      "The register has registered another receipt than it was sent; receipts with that value wait.",
      "Касса зарегистрировала чек не таким, каким он был передан; чеки с этим значением ждут.",
    ],
    [
      "Correct the wrong receipt and the register's settings, then `fiscald differences-mended`. Or accept what it does: `fiscald accept-differences REGISTER TAG`.",
      "Исправьте неверный чек и настройки кассы, затем `fiscald differences-mended`. Или примите, что касса так делает: `fiscald accept-differences КАССА ТЕГ`.",
    ],
  ),
  "register.setting-wrong": repeat(
    [
      "A setting of the register would change this receipt; it waits until the setting is right.",
      "Настройка кассы изменила бы этот чек; он ждёт, пока её не исправят.",
    ],
    [
      "Set what is named, in the register's own tables while its shift is closed, or in the config; the receipt prints by itself. `fiscald doctor` shows all settings.",
      "Исправьте названное в таблицах кассы при закрытой смене или в настройках, чек напечатается сам. Все настройки показывает `fiscald doctor`.",
      "goes-on",
    ],
  ),
  "register.no-register": never(
    ["No register can print this receipt.", "Нет кассы, которая может напечатать этот чек."],
    ["Check the groups and the capabilities of the registers.", "Проверьте группы и возможности касс."],
  ),
  "register.stopped": repeat(["The register is being stopped.", "Касса останавливается."], retriesByItself),
  "register.offline": repeat(
    ["The register cannot be reached.", "Касса недоступна."],
    ["Check that the register is switched on and connected.", "Проверьте, что касса включена и подключена."],
  ),
  "register.busy": repeat(
    ["The register is printing just now.", "Касса сейчас печатает."],
    ["Try again when it has ended.", "Повторите, когда печать закончится."],
  ),
  "register.no-open-shift": afterHelp(
    ["No shift is open: an X report has nothing to count.", "Смена закрыта: X-отчёту нечего считать."],
    ["Ask for it after the shift's first receipt.", "Запросите его после первого чека смены."],
  ),
  "register.fixed-kkm": afterHelp(
    ["The config names the right register (`expectKkm`).", "Номер кассы задан в настройках (`expectKkm`)."],
    [
      "Connect that register, or correct `expectKkm` of this one and start the daemon again.",
      "Подключите ту кассу или исправьте `expectKkm` этой и перезапустите программу.",
    ],
  ),
  "register.paused": afterHelp(
    ["The register is paused and prints no orders.", "Касса на паузе и не печатает заказы."],
    [
      "Resume it by its button on the operator's page. On a terminal: `fiscald resume`.",
      "Возобновите печать кнопкой на странице оператора. В командной строке: `fiscald resume`.",
    ],
  ),
} as const satisfies Record<`register.${string}`, FaultRow>;
