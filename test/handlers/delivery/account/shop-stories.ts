/** What comes of an order's money at the shop's own tills (54-fz 10, 15); `account-steps.ts` has the words. */
export const shopStories = `
## When the bridge prints.
an order that is paid online is printed:
  order paid online, print all
  = sale 501.00
an unpaid order prints nothing, delivered neither:
  order unpaid, status 3, nothing to print
an order is printed once, however often it changes:
  order paid online, print, note, status 3, nothing to print
  = sale 501.00
an order that is paid after its delivery is printed then:
  order unpaid, status 4, nothing to print, paid 1, print all
  = sale 501.00
an order that the courier collects is printed when it is delivered:
  order unpaid, courier collects 501, nothing to print, status 3, print all
  = sale 501.00
status 4 sells without what the courier took back:
  order paid in the shop, courier cancels 1, status 4, print all
  = sale 250.50
  ! paid and cancelled
what the courier took back cannot be brought back as well:
  order paid in the shop, courier cancels 1, status 4, print, courier brings back 2 (422 goods[0].count),
  courier brings back 1, print all
  = sale 250.50, return 250.50
  ! paid and cancelled
money that does not cover what is delivered prints nothing, and the shop is told:
  order unpaid, courier collects 250.5, status 3, nothing to print
  ! not covered
money that covers it after all is printed, and the alert is withdrawn:
  order unpaid, courier collects 250.5, status 3, courier collects 250.5, print all
  = sale 501.00
money that is taken back does not cover:
  order unpaid, courier collects 501, courier collects -250.5, status 3, nothing to print
  ! not covered
money that is taken back as a whole leaves the order unpaid:
  order unpaid, courier collects 501, courier collects -501, status 3, nothing to print
money that covered the order before it was edited up does not cover:
  order unpaid, courier collects 501, edit to 3 pieces, status 3, nothing to print
  ! not covered
card money above what is sold is told:
  order unpaid, courier collects 501, courier cancels 1, status 4, print all
  = sale 250.50
  ! money beyond receipts
card money above what the order costs is told before its delivery:
  order unpaid, courier collects 501, courier collects 501, nothing to print
  ! money beyond receipts
card money above what is sold stays told while a return is open:
  order unpaid, courier collects 501, courier collects 501, status 3, print, courier brings back 1, handed out
  = sale 501.00
  ! money beyond receipts
cash that a courier reports after the receipt is kept, and told:
  order paid in the shop, status 3, print, courier collects 501 in cash, nothing to print
  = sale 501.00
  ! sale says otherwise
a return by which a courier gives back more than its goods cost is printed at their cost, and told:
  order unpaid, courier collects 501, status 3, print, courier brings back 1 with 9999, print
  = sale 501.00, return 250.50
  ! more money back
a return by which a courier gave back too much, and got it back, is not told:
  order unpaid, courier collects 501, status 3, print, refund of 1, courier collects 300 of refund 1, print,
  courier collects -49.51 of refund 1
  = sale 501.00, return 250.50
card money above what is sold, and given back, is not:
  order unpaid, courier collects 501, courier cancels 1, status 4, print all, courier collects -250.5
  = sale 250.50
money of an order that is not delivered is told:
  order unpaid, courier collects 501, courier status 5, nothing to print
  ! money without receipt
an order that is cancelled after its receipt is printed is told, until all of it goes back:
  order paid online, print, status 5
  = sale 501.00
  ! cancelled after its receipt
an order that is cancelled after its receipt, and comes back, has its return:
  order paid online, print, status 5, status 6, print all
  = sale 501.00, return 501.00
an order that is cancelled after its receipt, and is refunded in part, is told of the rest:
  order paid online, print, status 5, refund of 1, print all
  = sale 501.00, return 250.50
  ! cancelled after its receipt
an order that is cancelled and refunded as a whole is not told:
  order paid online, print, status 5, refund of 2, print all
  = sale 501.00, return 501.00
a prepaid order that is cancelled before its delivery is told:
  order prepaid 200, print, status 5
  = prepayment 200.00
  ! cancelled after its receipt
money of an order that is not delivered, and given back, is not:
  order unpaid, courier collects 501, courier status 5, courier collects -501, nothing to print
money of a sale that is printed and is taken back without a return is told:
  order unpaid, courier collects 501, status 3, print all, courier collects -501
  = sale 501.00
  ! given back without a return
money that is taken back of an order of which nothing was collected is told:
  order unpaid, courier collects -500
  ! given back before a sale
money that is taken back of such an order, and collected again, is not told:
  order unpaid, courier collects -500, courier collects 1001, status 3, print all
  = sale 501.00
a prepayment that went back is taken back in money, too:
  order prepaid 200, print, refund of 2, print, courier collects -200
  = prepayment 200.00, return of the prepayment 200.00
money of a sale that came back whole is taken back:
  order unpaid, courier collects 501, status 3, print all, status 6, print all, courier collects -501
  = sale 501.00, return 501.00
a prepaid order that is edited up beyond its money is unpaid again:
  order prepaid 200, print, courier collects 301, edit to 3 pieces, nothing to print
  = prepayment 200.00
a prepaid order that is delivered without the rest prints nothing, and the shop is told:
  unpaid order prepaid 200, status 3, nothing to print
  ! not covered
a prepaid order whose rest is collected after its delivery has both receipts:
  unpaid order prepaid 200, status 3, courier collects 301, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a refund order of an order that is cancelled and was never sold is told:
  order unpaid, status 5, refund of 2, nothing to print
  ! waits for its sale
an order that comes back before its receipt, and is unpaid again, prints nothing:
  order paid online, status 6, paid 0, nothing to print
the tax of what is handed out or printed stays:
  order paid online, handed out, edit to 10 % (422 goods), printed, edit to 10 % (422 goods)
  = sale 501.00
a sale that is printed late at another tax is told:
  order paid online, handed out, failed, edit to 10 %, late: printed, nothing to print
  = sale 501.00
  ! sale says otherwise
a sale that is printed takes no prepayment any more:
  order paid online, print, prepaid 100 (422 prePaymentSum)
  = sale 501.00
a refund order whose sale has no receipt is told:
  order unpaid, refund of 2, nothing to print
  ! waits for its sale
an order that comes back before its receipt is printed has both, as it is then:
  order paid online, status 6, edit to 1 piece, print all
  = sale 250.50, return 250.50
an order that comes back and was never sold prints nothing:
  order unpaid, status 6, nothing to print
an order that is delivered again after its return prints nothing more, and the shop is told:
  order paid online, print, status 6, print, status 3, nothing to print
  = sale 501.00, return 501.00
  ! delivered again
## Prepayment and settlement.
a prepayment is printed, and settled when the order is delivered:
  order prepaid 200, print, status 3, print
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a prepayment whose rest nobody reports is settled by the order's status, and told until somebody does:
  order prepaid 200 without the rest, print, status 3, print
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
  ! rest by its status alone
a prepayment and a rest of the same sum that the shop both names are settled, and nothing is told:
  order of two halves, print, status 3, print
  = prepayment 250.50, sale 501.00 with 250.50 prepaid
a prepayment whose rest is reported after its settlement is not told any more:
  order prepaid 200 without the rest, print, status 3, print, courier collects 301
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a settlement waits for its prepayment:
  order prepaid 200, handed out, status 3, printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a settlement waits for a prepayment in doubt:
  order prepaid 200, handed out, unknown, status 3, printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a sale whose prepayment failed has no offset; printed late after it, that goes back:
  order prepaid 200, handed out, failed, status 3, print, late: printed, print all
  = sale 501.00, prepayment 200.00, return of the prepayment 200.00
a prepayment that is printed late, before anybody has the sale, is settled with:
  order prepaid 200, handed out, failed, status 3, late: printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a prepaid order that comes back has all of it back:
  order prepaid 200, print, status 6, print all
  = prepayment 200.00, return of the prepayment 200.00
a prepaid order that comes back while its settlement waits for a till has all of it back:
  order prepaid 200, print, status 3, status 6, print all
  = prepayment 200.00, return of the prepayment 200.00
a prepaid order that comes back while its settlement is handed out gives back the sale:
  order prepaid 200, print, status 3, handed out, status 6, printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 501.00
a delivered prepaid order that comes back gives back the sale:
  order prepaid 200, print, status 3, print, status 6, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 501.00
the rest of a prepayment goes back at the settlement of a smaller order:
  order prepaid 501, print, edit to 1 piece (422 prePaymentSum), prepaid 250.5 (422 prePaymentSum),
  courier cancels 1, status 4, print all
  = prepayment 501.00, sale 250.50 with 250.50 prepaid, return of the prepayment 250.50
all of a prepayment goes back when the courier takes all back:
  order prepaid 200, print, courier cancels 2, status 4, print all
  = prepayment 200.00, return of the prepayment 200.00
a part of a prepayment is 422 before its settlement:
  order prepaid 200, print, refund of 1 (422 goods), courier brings back 1 (422 goods), nothing to print
  = prepayment 200.00
an unpaid refund order of a part waits for the settlement, and is 422 when it is paid before:
  order prepaid 200, print, unpaid refund of 1, refund 1 paid 1 (422 goods), status 3, print, refund 1 paid 1,
  print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 250.50
a refund order of the whole gives back the prepayment; a sale that is made after that has no offset:
  order prepaid 200, print, refund of 2, print, status 3, print all
  = prepayment 200.00, return of the prepayment 200.00, sale 501.00
a settlement waits for the prepayment's return that is handed out:
  order prepaid 200, print, refund of 2, handed out, status 3, failed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 501.00
a refund order of all that is delivered waits for the settlement:
  order prepaid 200, handed out, status 3, refund of 2, printed, handed out, handed out, printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 501.00
a refund order after the settlement gives back the sale:
  order prepaid 200, print, status 3, print, refund of 1, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 250.50
## Refund orders.
a refund order gives back its goods, a further one the rest:
  order paid online, print, refund of 1, print, refund of 1, print all
  = sale 501.00, return 250.50, return 250.50
more than was sold is 422:
  order paid online, print, refund of 1, refund of 2 (422 goods[0].count), print all
  = sale 501.00, return 250.50
a refund order waits for its sale:
  order paid online, refund of 1, handed out, unknown, nothing to print, printed, print all
  = sale 501.00, return 250.50
a refund order of a sale that failed has that tried again:
  order paid online, handed out, failed, refund of 1, print all
  = sale 501.00, return 250.50
an unpaid refund order prints nothing:
  order paid online, print, unpaid refund of 1, nothing to print
  = sale 501.00
payments make no refund order paid, whoever reports them:
  order paid online, print, unpaid refund of 1, refund 1 gives back 250.50, courier collects 250.5 of refund 1,
  nothing to print
  = sale 501.00
  ! given back unpaid
payments make no paid refund order unpaid, and no printed one:
  order paid online, print, refund of 2, refund 1 gives back 501, refund 1 gives back 500, print all,
  refund 1 gives back 501, refund 1 gives back 500, refund 1 gives back nothing and is unpaid (422 statusId)
  = sale 501.00, return 501.00
an unpaid refund order does not keep the whole from coming back, and cannot be paid after that:
  order paid online, print, unpaid refund of 1, status 6, print all, refund 1 paid 1 (422 orderId)
  = sale 501.00, return 501.00
a refund order that is unpaid again is withdrawn while nobody has it:
  order paid online, print, refund of 1, refund 1 paid 0, nothing to print
  = sale 501.00
a refund order that is handed out stays paid:
  order paid online, print, refund of 1, handed out, refund 1 paid 0 (422 statusId), printed
  = sale 501.00, return 250.50
a refund order that is handed out keeps its goods:
  order paid online, print, refund of 1, handed out, refund 1 edit to 2 pieces (422 goods), printed
  = sale 501.00, return 250.50
status 6 after a refund order gives back nothing more, and the shop is told:
  order paid online, print, refund of 1, print, status 6, nothing to print
  = sale 501.00, return 250.50
  ! rest of the whole
a refund order of the rest mends that:
  order paid online, print, refund of 1, print, status 6, refund of 1, print all
  = sale 501.00, return 250.50, return 250.50
status 6 after a refund order of the whole gives back nothing more:
  order paid online, print, refund of 2, status 6, print all
  = sale 501.00, return 501.00
a refund order beside the whole return is 422, before and after that is printed:
  order paid online, print, status 6, refund of 1 (422 orderId), print, refund of 1 (422 orderId)
  = sale 501.00, return 501.00
of a good that was sold at two rates the first with enough left comes back, without a position:
  order of tea at 22 and at 10 %, print, refund of 1, print, refund of 1, print all
  = sale 501.00, return 250.50, return 250.50 at 10 %
both rates of a good come back on one receipt:
  order of tea at 22 and at 10 %, print, refund of 2, print all
  = sale 501.00, return 501.00
positions of two rates each come back at their own:
  order of tea at 22 and at 10 %, print, refund of 1 at position 2, print, refund of 1 at position 1, print
  = sale 501.00, return 250.50 at 10 %, return 250.50
a refund order in another form than its sale is printed in that form, and the shop is told:
  order paid online, print, refund of 1 in cash, print all
  = sale 501.00, return 250.50 in cash
  ! other form
a refund order in a form that its sale took is not told:
  unpaid order prepaid 200, courier collects 301, print, status 3, print, refund of 1, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 250.50
## Edits.
an edit before anybody has the receipt is on it:
  order paid online, edit to 1 piece, print all
  = sale 250.50
an edit of what is handed out is 422:
  order paid online, handed out, edit to 1 piece (422 goods), printed
  = sale 501.00
an edit and a cancellation of what is handed out or in doubt are 422:
  order paid online, handed out, courier cancels 1 (422 goods), unknown, edit to 1 piece (422 goods),
  courier cancels 1 (422 goods), printed, courier cancels 1 (422 goods)
  = sale 501.00
a sale that is printed late, after an edit, is given back as it was printed:
  order paid online, handed out, failed, edit to 1 piece, late: printed, status 6, print all
  = sale 501.00, return 501.00
  ! sale says otherwise
an edit of what is printed is 422:
  order paid online, print, edit to 1 piece (422 goods)
  = sale 501.00
an order that is unpaid again is withdrawn while nobody has it:
  order paid online, paid 0, nothing to print, paid 1, print all
  = sale 501.00
an order that is handed out or printed stays paid:
  order paid online, handed out, paid 0 (422 statusId), printed, paid 0 (422 statusId)
  = sale 501.00
a prepayment that is printed keeps its sum:
  order prepaid 200, print, prepaid 100 (422 prePaymentSum)
  = prepayment 200.00
a courier may not take back before the settlement what a refund order waits to give back:
  unpaid order prepaid 200, refund of 1, paid 1, courier cancels 2 (422 goods), print, status 3, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 250.50
  ! rest by its status alone
a sale below what its refund orders give back is 422:
  order paid online, refund of 2, edit to 1 piece (422 goods), print all
  = sale 501.00, return 501.00
## Failures, doubts and late results.
a sale that has failed is told:
  order paid online, handed out, failed, nothing to print
  ! has failed
a prepayment that has failed is told:
  order prepaid 200, handed out, failed, nothing to print
  ! has failed
a refund order's return that has failed is told:
  order paid online, print, refund of 1, handed out, failed, nothing to print
  = sale 501.00
  ! has failed
a sale that has failed is not told any more where it is not due:
  order paid online, handed out, failed, paid 0, nothing to print
what failed is tried again when the order is written:
  order paid online, handed out, failed, nothing to print, note, print all
  = sale 501.00
what is in doubt is not tried again:
  order paid online, handed out, unknown, note, nothing to print, printed, nothing to print
  = sale 501.00
what was in doubt and has failed is tried again when the order is written:
  order paid online, handed out, unknown, failed, note, print all
  = sale 501.00
what failed and is printed late takes the new one out of the queue:
  order paid online, handed out, failed, note, late: printed, nothing to print
  = sale 501.00
what failed and is in doubt late holds the new one back:
  order paid online, handed out, failed, note, late: unknown, printed, nothing to print
  = sale 501.00
what failed and is printed late beside the new one is told:
  order paid online, handed out, failed, note, handed out, late: printed, printed, nothing to print
  = sale 501.00, sale 501.00
  ! sale twice
a sale that was edited down while it was failed, and is printed late, is told:
  order paid online, handed out, failed, edit to 1 piece, late: printed, nothing to print
  = sale 501.00
  ! sale says otherwise
an edit to what is printed mends that:
  order paid online, handed out, failed, edit to 1 piece, late: printed, edit to 2 pieces, nothing to print
  = sale 501.00
a sale that was made unpaid while it was failed, and is printed late, is told:
  order paid online, handed out, failed, paid 0, late: printed, nothing to print
  = sale 501.00
  ! sale says otherwise
the whole return that is printed late besides a refund order's is told, and nothing more goes back:
  order paid online, print, status 6, handed out, failed, refund of 1, print, late: printed, note, refund 1 note,
  nothing to print
  = sale 501.00, return 250.50, return 501.00
  ! sale
the whole return that is printed late before anybody has the refund order's leaves nothing for it:
  order paid online, print, status 6, handed out, failed, refund of 1, late: printed, nothing to print
  = sale 501.00, return 501.00
  ! too little left
a deleted refund order whose return is printed late counts against the whole return:
  order paid online, print, refund of 1, handed out, failed, refund 1 paid 0, refund 1 deleted, status 6,
  late: printed, nothing to print
  = sale 501.00, return 250.50
  ! return says otherwise, rest of the whole
a refund order that was edited to another rate while its return was failed, and is printed late, is told:
  order of tea at 22 and at 10 %, print, refund of 1 at position 1, handed out, failed, refund 1 edit to position 2,
  late: printed, refund 1 note, nothing to print
  = sale 501.00, return 250.50
  ! return says otherwise
what was handed out and is released is made again as the order is now:
  order paid online, handed out, edit to 1 piece (422 goods), released, edit to 1 piece, print all
  = sale 250.50
a sale that is released after its prepayment was printed late is settled with it:
  order prepaid 200, handed out, failed, status 3, handed out, late: printed, released, note, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a sale waits while the return of its prepayment is out:
  order prepaid 501, print, status 6, handed out, unknown, status 3, nothing to print, printed, note, print all
  = prepayment 501.00, return of the prepayment 501.00, sale 501.00
a printed refund order is not edited to goods that another one has given back, though the sum is the same:
  order of tea at 22 and at 10 %, print, refund of 1 at position 1, print, refund of 1 at position 2, print,
  refund 1 edit to position 2 (422 goods[0].count), nothing to print
  = sale 501.00, return 250.50, return 250.50 at 10 %
a settlement that is printed late while the prepayment's return is out is told, and nothing more goes back:
  order prepaid 501, print, status 3, handed out, failed, status 6, handed out, late: printed, printed, note,
  nothing to print
  = prepayment 501.00, sale 501.00 with 501.00 prepaid, return of the prepayment 501.00
  ! prepayment
returns of two rates of which one is printed late are told where one rate is back twice:
  order of tea at 22 and at 10 %, print, refund of 1 at position 1, handed out, failed, refund 1 note, print,
  late: printed, note, refund of 1 at position 2, nothing to print
  = sale 501.00, return 250.50, return 250.50
  ! return twice, rates of the sale, too little left
`;
