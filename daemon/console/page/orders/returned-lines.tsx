/** How much of each line of a receipt is returned, in the dialog before the return; and what that comes to. */
import {
  formatRoubles,
  type Kopecks,
  kopecks,
  parseQuantity,
  parseRoubles,
  shareOf,
  sumKopecks,
} from "@fiscald/shared/amounts.js";
import type { ReturnableLine } from "../../returns/return-api.js";
import { money } from "../text.js";
import type { Words } from "../words.js";

/** Quantities by position, as they are typed; "" and 0 = nothing of that line. */
export type TypedQuantities = Readonly<Record<number, string>>;

interface ReturnedLinesProps {
  readonly lines: readonly ReturnableLine[];
  readonly typed: TypedQuantities;
  readonly words: Words;
  onType(typed: TypedQuantities): void;
}

/** All that is left. */
export function wholeOf(lines: readonly ReturnableLine[]): TypedQuantities {
  return Object.fromEntries(lines.map(({ position, quantity }) => [position, quantity.replace(".", ",")]));
}

/** The lines of the request. */
export function wantedOf(typed: TypedQuantities) {
  return Object.entries(typed).flatMap(([position, text]) => {
    const quantity = text.trim().replace(",", ".");
    return quantity === "" || Number(quantity) === 0 ? [] : [{ position: Number(position), quantity }];
  });
}

export function ReturnedLines({ lines, typed, words, onType }: ReturnedLinesProps) {
  const sum = sumKopecks(lines.map((line) => partOf(line, typed[line.position] ?? "")));
  return (
    <>
      {lines.map(({ position, name, quantity, total }) => (
        <label key={position}>
          {name}: {words.leftOfLine({ quantity: quantity.replace(".", ","), sum: money(total) })}
          <input
            inputMode="decimal"
            pattern="[0-9]{0,9}([.,][0-9]{1,6})?"
            value={typed[position] ?? ""}
            onInput={({ currentTarget: { value } }) => onType({ ...typed, [position]: value })}
          />
        </label>
      ))}
      <p>
        <strong>{words.returnTotal({ sum: money(formatRoubles(sum)) })}</strong>
      </p>
    </>
  );
}

/** What the typed part of a line costs; the daemon refuses more than is left. */
function partOf({ quantity, total }: ReturnableLine, typed: string): Kopecks {
  const [whole, sum, part] = [parseQuantity(quantity), parseRoubles(total), parseQuantity(typed.replace(",", "."))];
  if (whole === null || sum === null || part === null || part <= 0 || part > whole) return kopecks(0);
  return shareOf(sum, part, whole);
}
