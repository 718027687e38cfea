import { formatRoubles, sumKopecks } from "@fiscald/shared/amounts.js";
import { costOfPart } from "../../returns/cost-of-part.js";
import type { ReturnableLine } from "../../returns/return-api.js";
import { money } from "../text.js";
import { words } from "../words.js";

/** Quantities by position, as they are typed; empty or 0: nothing of the line. */
export type TypedQuantities = Readonly<Record<number, string>>;

interface ReturnedLinesProps {
  readonly lines: readonly ReturnableLine[];
  readonly typed: TypedQuantities;
  onType(typed: TypedQuantities): void;
}

export function wholeOf(lines: readonly ReturnableLine[]): TypedQuantities {
  return Object.fromEntries(lines.map(({ position, quantity }) => [position, quantity.replace(".", ",")]));
}

export function wantedOf(typed: TypedQuantities) {
  return Object.entries(typed).flatMap(([position, text]) => {
    const quantity = text.trim().replace(",", ".");
    return quantity === "" || Number(quantity) === 0 ? [] : [{ position: Number(position), quantity }];
  });
}

export function ReturnedLines({ lines, typed, onType }: ReturnedLinesProps) {
  // The sum needs no limit here, because the daemon refuses more than is left.
  const sum = sumKopecks(lines.map((line) => costOfPart(line, (typed[line.position] ?? "").replace(",", "."))));
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
