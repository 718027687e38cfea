import { afterHelp, type FaultRow, repeat, retriesByItself } from "./fault-row.js";

export const linkFaults = {
  "link.not-found": repeat(
    ["The register does not answer.", "Касса не отвечает."],
    ["Check that the register is on and its cable plugged in.", "Проверьте, включена ли касса и вставлен ли кабель."],
  ),
  "link.busy": repeat(
    ["The port is in use by another program.", "Порт занят другой программой."],
    [
      "Close the other program that uses this register; a second fiscald may not have it in its config. The maker's own service that takes its documents to the OFD (ComProxy, ATOL Web Requests) is left running: put its address into `connection`.",
      "Закройте другую программу, которая работает с этой кассой; у двух fiscald не может быть одной кассы. Службу изготовителя, через которую документы уходят в ОФД (ComProxy, ATOL Web Requests), не закрывайте: укажите её адрес в `connection`.",
    ],
  ),
  "link.forbidden": repeat(
    ["The system does not let this user open the port.", "Система не разрешает этому пользователю открыть порт."],
    [
      "Add the user to the port's group (`dialout` on Debian), log in again, and start again.",
      "Добавьте пользователя в группу порта (в Debian `dialout`), войдите в систему заново и повторите.",
    ],
  ),
  "link.timeout": repeat(
    ["The register did not answer in time.", "Касса не ответила вовремя."],
    [
      "Check that the register is switched on and connected, and that port, speed and driver in the config are its own.",
      "Проверьте, что касса включена и подключена, а порт, скорость и драйвер в настройках указаны верно.",
    ],
  ),
  "link.corrupt": repeat(
    ["The register's answer was damaged on the way.", "Ответ кассы пришёл с ошибками."],
    [
      "Check the cable and replace it if this repeats; when no answer is whole, check that the driver in the config is the register's own.",
      "Проверьте кабель, если повторяется, замените его; если испорчен каждый ответ, проверьте, что драйвер в настройках подходит к кассе.",
    ],
  ),
  "link.lost": repeat(
    ["The connection to the register was lost.", "Связь с кассой потеряна."],
    ["Check the cable and the power of the register.", "Проверьте кабель и питание кассы."],
  ),
  "link.foreign": afterHelp(
    ["The device does not speak this driver's protocol.", "Устройство не поддерживает протокол выбранного драйвера."],
    [
      "Check driver and port in the config. `fiscald discover` shows them.",
      "Проверьте драйвер и порт в настройках. Их покажет `fiscald discover`.",
    ],
  ),
  "link.aborted": repeat(
    ["The exchange with the register was stopped.", "Обмен с кассой остановлен."],
    retriesByItself,
  ),
} as const satisfies Record<`link.${string}`, FaultRow>;
