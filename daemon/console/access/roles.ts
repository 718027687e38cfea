/** The page shows no button that would be refused. */

/** `administrator` may do everything. `operator` may read, retry, and print X reports and test slips. */
export type Role = "administrator" | "operator";

const operatorMay = [
  /^\/api\/links$/,
  /^\/api\/retry$/,
  /^\/api\/jobs\/\d+\/retry$/,
  /^\/api\/registers\/[^/]+\/(x-report|test-slip)$/,
  /^\/api\/sites\/[^/]+\/poll$/,
];

/** Frames (the bytes sent to registers) contain the registers' passwords. */
const operatorMayNotRead = /^\/api\/frames\/?$/i;

export function mayRead(role: Role, path: string): boolean {
  return role === "administrator" || !operatorMayNotRead.test(path);
}

export function mayAct(role: Role, path: string): boolean {
  return role === "administrator" || operatorMay.some((pattern) => pattern.test(path));
}
