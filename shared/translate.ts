/** Texts in another language, found by the English text as gettext does. */

/** A longer line is a site's own: the rows would take minutes over one that repeats their words. */
const MAX_LINE = 1000;

/**
 * `table`: in the English text `*` stands for any value, in the other one `$1`, `$2` for the first and the second. A
 * text of several lines is translated line by line, `place: ` may stand before a line, and a value may be a text of the
 * table itself, unless it stands in double quotes: that is a text of others. The first row that fits is taken; what fits
 * none stays as it is, and so does a line above `MAX_LINE`.
 */
export function translatorOf(table: Readonly<Record<string, string>>): (text: string) => string {
  const rows = Object.entries(table).map(([english, other]) => ({
    pattern: new RegExp(`^${english.split("*").map(escapeText).join("(.+?)")}$`),
    other,
  }));

  function translated(text: string): string | null {
    if (/^".*"$/.test(text)) return null;
    for (const { pattern, other } of rows) {
      const [whole, ...values] = pattern.exec(text) ?? [];
      if (whole === undefined) continue;
      return other.replace(/\$(\d)/g, (_, number) => {
        const value = values[Number(number) - 1] ?? "";
        return lineOf(value) ?? value;
      });
    }
    return null;
  }

  function lineOf(line: string): string | null {
    const [, place = "", reason = ""] = /^([^ ]+: )(.+)$/.exec(line) ?? [];
    const behindPlace = translated(reason);
    return behindPlace === null ? translated(line) : `${place}${behindPlace}`;
  }

  return (text) => text.replace(/[^\n ][^\n]*/g, (line) => (line.length > MAX_LINE ? line : (lineOf(line) ?? line)));
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
