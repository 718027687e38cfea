/**
 * What the checks of a marking code find is written in the code itself; words may stand together:
 *
 *   REJECT    the drive and the marking system refuse it
 *   NOKEY     the drive cannot check it
 *   RECALL    the marking system refuses it
 *   OFFLINE   the marking system is not reached
 *
 * Every other code is good to both. The answer is tag 2106: 1 checked by the drive, 2 and good, 4 checked by the marking
 * system, 8 and good.
 */
export function markResult(code: Uint8Array): number {
  const says = (word: string) => Buffer.from(code).includes(word);
  return driveBits(says) | systemBits(says);
}

type Says = (word: string) => boolean;

function driveBits(says: Says): number {
  if (says("REJECT")) return 0b0001;
  return says("NOKEY") ? 0 : 0b0011;
}

function systemBits(says: Says): number {
  if (says("OFFLINE")) return 0;
  return says("REJECT") || says("RECALL") ? 0b0100 : 0b1100;
}
