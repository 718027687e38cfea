/** Our typeClose -> the register's payment type (reference, section 6, command 47). */
export const paymentTypes: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 1],
  [2, 13],
  [3, 14],
  [4, 15],
]);
