const MAX_ROWS = 100;

/**
 * How many rows of text one document may have drawn: each is a kilobyte or more on the wire and a second of printing,
 * and a paid receipt must not wait minutes for its style. Counted while one document is compiled.
 */
export class DrawingBudget {
  private left = MAX_ROWS;

  /** False: these rows would be too many, and none of them is counted. */
  take(rows: number): boolean {
    if (rows > this.left) return false;
    this.left -= rows;
    return true;
  }
}

export const budgetSpent = `more than ${MAX_ROWS} rows of drawn text in one document: the rest is printed plain`;
