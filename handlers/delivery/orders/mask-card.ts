/** 12 to 19 digits, in groups or not: the number of a card. */
const cardNumber = /(?<!\d)\d(?:[\s-]?\d){11,18}(?!\d)/g;

/** Of every card number in the text only the first six and the last four digits stay. */
export function maskCard(text: string | null): string | null {
  return (
    text?.replace(cardNumber, (number) => {
      const digits = number.replace(/\D/g, "");
      return `${digits.slice(0, 6)}${"*".repeat(digits.length - 10)}${digits.slice(-4)}`;
    }) ?? null
  );
}
