/** Hints that several faults share: English, Russian. */

export const fixOrder = [
  "Correct the order on the site and send it again.",
  "Исправьте заказ на сайте и отправьте его снова.",
] as const;
export const fixRequest = [
  "Correct the request and send it again.",
  "Исправьте запрос и отправьте его снова.",
] as const;
export const retriesByItself = [
  "Nothing: it is tried again by itself.",
  "Ничего делать не нужно: повтор произойдёт сам.",
] as const;
/** For a job that failed for good: whatever its fault's own hint says, there is no automatic retry. */
export const givenUp = [
  "The job was given up: once the cause is gone, print it with `fiscald retry`.",
  "Задание больше не печатается: устранив причину, выполните `fiscald retry`.",
] as const;
export const callService = ["Call the service engineer of the register.", "Вызовите сервисного инженера ККТ."] as const;
export const reportUs = [
  "Make a support bundle and send it to support.",
  "Соберите пакет диагностики (support-bundle) и отправьте в поддержку.",
] as const;
