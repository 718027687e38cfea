/** Shows the Markdown of the guides in daemon/docs. Pictures are left out. */

import type { ComponentChildren } from "preact";
import { Wide } from "../text.js";

type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly start: number | null; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

export function Markdown({ text }: { readonly text: string }) {
  return <>{readBlocks(text).map(showBlock)}</>;
}

export function splitTitle(text: string): { readonly title: string; readonly body: string } {
  const [first = "", ...rest] = text.split("\n");
  return { title: first.replace(/^# /, ""), body: rest.join("\n") };
}

const itemStart = /^(?:(\d+)\.|-) /;

function readBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let lines = text.split("\n");
  /** The first line is always taken, then all lines up to the first unwanted one. */
  const take = (isWanted: (line: string) => boolean): readonly string[] => {
    const end = lines.findIndex((line, index) => index > 0 && !isWanted(line));
    const taken = lines.slice(0, end === -1 ? lines.length : end);
    lines = lines.slice(taken.length);
    return taken;
  };
  while (lines.length > 0) {
    const [line = ""] = lines;
    const [, marks, heading = ""] = /^(#+) (.*)$/.exec(line) ?? [];
    if (line.startsWith("```")) {
      const [, ...code] = take((next) => !next.startsWith("```"));
      lines = lines.slice(1);
      blocks.push({ kind: "code", text: code.join("\n") });
    } else if (line.startsWith("|")) {
      const [head = "", , ...rows] = take((next) => next.startsWith("|"));
      blocks.push({ kind: "table", rows: [head, ...rows].map(cellsOf) });
    } else if (itemStart.test(line)) {
      const start = itemStart.exec(line)?.[1];
      const taken = take((next) => itemStart.test(next) || next.startsWith("  "));
      blocks.push({ kind: "list", start: start === undefined ? null : Number(start), items: itemsOf(taken) });
    } else if (marks !== undefined) {
      lines = lines.slice(1);
      blocks.push({ kind: "heading", level: marks.length, text: heading });
    } else if (/^\s*(!\[|$)/.test(line)) {
      lines = lines.slice(1);
    } else {
      const taken = take((next) => next.trim() !== "" && !itemStart.test(next) && !/^(```|\||#+ |!\[)/.test(next));
      blocks.push({ kind: "paragraph", text: taken.join(" ") });
    }
  }
  return blocks;
}

function cellsOf(row: string): readonly string[] {
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function itemsOf(lines: readonly string[]): readonly string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (itemStart.test(line)) items.push(line.replace(itemStart, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return items;
}

function showBlock(block: Block, index: number) {
  switch (block.kind) {
    case "heading":
      return block.level < 3 ? <h3 key={index}>{inline(block.text)}</h3> : <h4 key={index}>{inline(block.text)}</h4>;
    case "paragraph":
      return <p key={index}>{inline(block.text)}</p>;
    case "code":
      return (
        <Wide key={index}>
          <pre>{block.text}</pre>
        </Wide>
      );
    case "list": {
      const items = block.items.map((item) => <li key={item}>{inline(item)}</li>);
      return block.start === null ? (
        <ul key={index}>{items}</ul>
      ) : (
        <ol key={index} start={block.start}>
          {items}
        </ol>
      );
    }
    case "table": {
      const [head = [], ...rows] = block.rows;
      return (
        <Wide key={index}>
          <table>
            <thead>
              <tr>
                {head.map((cell) => (
                  <th key={cell} scope="col">
                    {inline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row[0]}>
                  {row.map((cell) => (
                    <td key={cell}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      );
    }
  }
}

const marked = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/;

function inline(text: string): ComponentChildren {
  return text.split(marked).map((part, index) => {
    const [, label, target = ""] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
    if (part.startsWith("`")) return <code key={index}>{part.slice(1, -1)}</code>;
    if (part.startsWith("**")) return <strong key={index}>{part.slice(2, -2)}</strong>;
    if (label === undefined) return part;
    const [, topic] = /^([\w-]+)\.ru\.md(?:#.*)?$/.exec(target) ?? [];
    return topic === undefined ? (
      label
    ) : (
      <a key={index} href={`#help/${topic}`}>
        {label}
      </a>
    );
  });
}
