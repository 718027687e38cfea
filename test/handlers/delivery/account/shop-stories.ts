/** Stories of an order's money at the shop's own tills (54-fz 10, 15); `account-steps.ts` has their steps. */
export const shopStories = `
## When the bridge prints.
an order that is paid online is printed:
  order paid online, print all
  = sale 501.00
an unpaid order has no receipt, not even after its delivery:
  order unpaid, status 3, nothing to print
an order gets one receipt, however often it changes:
  order paid online, print, note, status 3, nothing to print
  = sale 501.00
an order that is paid only after its delivery is printed when it is paid:
  order unpaid, status 4, nothing to print, paid 1, print all
  = sale 501.00
an order whose money a courier collects is printed when it is delivered:
  order unpaid, courier collects 501, nothing to print, status 3, print all
  = sale 501.00
an order that is delivered in part (status 4) is sold without the pieces that the courier cancelled:
  order paid in the shop, courier cancels 1, status 4, print all
  = sale 250.50
  ! paid and cancelled
pieces that the courier cancelled cannot also be returned:
  order paid in the shop, courier cancels 1, status 4, print, courier brings back 2 (422 goods[0].count),
  courier brings back 1, print all
  = sale 250.50, return 250.50
  ! paid and cancelled
a delivered order whose money is too little has no receipt, and the shop gets an alert:
  order unpaid, courier collects 250.5, status 3, nothing to print
  ! not covered
a delivered order is printed once further money covers it, and its alert ends:
  order unpaid, courier collects 250.5, status 3, courier collects 250.5, print all
  = sale 501.00
money that a courier gave back before the delivery does not pay for the order:
  order unpaid, courier collects 501, courier collects -250.5, status 3, nothing to print
  ! not covered
an order whose money is given back as a whole before its delivery is unpaid again:
  order unpaid, courier collects 501, courier collects -501, status 3, nothing to print
money that no longer covers an order after an edit does not pay for the order:
  order unpaid, courier collects 501, edit to 3 pieces, status 3, nothing to print
  ! not covered
card money above what is sold gives an alert:
  order unpaid, courier collects 501, courier cancels 1, status 4, print all
  = sale 250.50
  ! money beyond receipts
card money above what the order costs gives an alert before the delivery:
  order unpaid, courier collects 501, courier collects 501, nothing to print
  ! money beyond receipts
the alert about card money above what is sold stays while a return is not printed yet:
  order unpaid, courier collects 501, courier collects 501, status 3, print, courier brings back 1, handed out
  = sale 501.00
  ! money beyond receipts
cash that a courier reports after a receipt by card is stored, and gives an alert:
  order paid in the shop, status 3, print, courier collects 501 in cash, nothing to print
  = sale 501.00
  ! sale says otherwise
a return with more money than its goods cost is printed at their cost, and gives an alert:
  order unpaid, courier collects 501, status 3, print, courier brings back 1 with 9999, print
  = sale 501.00, return 250.50
  ! more money back
a return with too much money gives no alert once the courier has got the excess back:
  order unpaid, courier collects 501, status 3, print, refund of 1, courier collects 300 of refund 1, print,
  courier collects -49.51 of refund 1
  = sale 501.00, return 250.50
card money above what is sold gives no alert once it is given back:
  order unpaid, courier collects 501, courier cancels 1, status 4, print all, courier collects -250.5
  = sale 250.50
a courier's money of an order that was not delivered (status 5) gives an alert:
  order unpaid, courier collects 501, courier status 5, nothing to print
  ! money without receipt
an order that is cancelled after its receipt gives an alert until all of its money goes back:
  order paid online, print, status 5
  = sale 501.00
  ! cancelled after its receipt
an order that is cancelled after its receipt, and returned later, gets a return:
  order paid online, print, status 5, status 6, print all
  = sale 501.00, return 501.00
an order that is cancelled after its receipt and refunded in part gives an alert about the rest:
  order paid online, print, status 5, refund of 1, print all
  = sale 501.00, return 250.50
  ! cancelled after its receipt
an order that is cancelled after its receipt and refunded as a whole gives no alert:
  order paid online, print, status 5, refund of 2, print all
  = sale 501.00, return 501.00
a prepaid order that is cancelled after its prepayment receipt gives an alert:
  order prepaid 200, print, status 5
  = prepayment 200.00
  ! cancelled after its receipt
a courier's money of an order that was not delivered gives no alert once it is given back:
  order unpaid, courier collects 501, courier status 5, courier collects -501, nothing to print
money of a printed sale that a courier gives back without a return gives an alert:
  order unpaid, courier collects 501, status 3, print all, courier collects -501
  = sale 501.00
  ! given back without a return
money that a courier gives back for an order of which he collected nothing gives an alert:
  order unpaid, courier collects -500
  ! given back before a sale
money that a courier gives back too early gives no alert once he has collected it:
  order unpaid, courier collects -500, courier collects 1001, status 3, print all
  = sale 501.00
a courier may report that he gave back the money of a returned prepayment:
  order prepaid 200, print, refund of 2, print, courier collects -200
  = prepayment 200.00, return of the prepayment 200.00
a courier may report that he gave back the money of a sale that was returned as a whole:
  order unpaid, courier collects 501, status 3, print all, status 6, print all, courier collects -501
  = sale 501.00, return 501.00
a prepaid order is unpaid again when an edit makes it cost more than was paid:
  order prepaid 200, print, courier collects 301, edit to 3 pieces, nothing to print
  = prepayment 200.00
a prepaid order that is delivered without the rest has no sale receipt, and gives an alert:
  unpaid order prepaid 200, status 3, nothing to print
  ! not covered
a prepaid order whose rest is collected after the delivery gets both receipts:
  unpaid order prepaid 200, status 3, courier collects 301, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a refund order of an order that was cancelled unsold gives an alert:
  order unpaid, status 5, refund of 2, nothing to print
  ! waits for its sale
an order that is returned before its receipt is printed, and then made unpaid, has no receipts:
  order paid online, status 6, paid 0, nothing to print
the tax of an order is not edited once its receipt is handed out or printed:
  order paid online, handed out, edit to 10 % (422 goods), printed, edit to 10 % (422 goods)
  = sale 501.00
a receipt that is printed late, after an edit of the tax rate, gives an alert:
  order paid online, handed out, failed, edit to 10 %, late: printed, nothing to print
  = sale 501.00
  ! sale says otherwise
no prepayment is added to an order once its sale is printed:
  order paid online, print, prepaid 100 (422 prePaymentSum)
  = sale 501.00
a refund order of an order without a receipt gives an alert:
  order unpaid, refund of 2, nothing to print
  ! waits for its sale
an order that is returned before its sale is printed gets both receipts, with its present goods:
  order paid online, status 6, edit to 1 piece, print all
  = sale 250.50, return 250.50
an order that is returned and was never sold has no receipts:
  order unpaid, status 6, nothing to print
an order that is delivered again after its return gets no further receipt, and gives an alert:
  order paid online, print, status 6, print, status 3, nothing to print
  = sale 501.00, return 501.00
  ! delivered again
## Prepayment and settlement.
a prepayment has a receipt, and the sale at delivery uses it:
  order prepaid 200, print, status 3, print
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a sale whose rest beside a prepayment is paid by status alone gives an alert until the rest is reported:
  order prepaid 200 without the rest, print, status 3, print
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
  ! rest by its status alone
a prepayment and a rest of the same sum that the shop names both give no alert:
  order of two halves, print, status 3, print
  = prepayment 250.50, sale 501.00 with 250.50 prepaid
a rest beside a prepayment that is reported after the sale ends the alert about it:
  order prepaid 200 without the rest, print, status 3, print, courier collects 301
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
the sale of a prepaid order waits until the prepayment is printed:
  order prepaid 200, handed out, status 3, printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
the sale of a prepaid order waits while it is unknown whether the prepayment is printed:
  order prepaid 200, handed out, unknown, status 3, printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a sale after a failed prepayment uses none; a prepayment that is printed after it goes back:
  order prepaid 200, handed out, failed, status 3, print, late: printed, print all
  = sale 501.00, prepayment 200.00, return of the prepayment 200.00
a failed prepayment that is printed late is used by a sale that no print server has yet:
  order prepaid 200, handed out, failed, status 3, late: printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a prepaid order that is returned before its sale gets its whole prepayment back:
  order prepaid 200, print, status 6, print all
  = prepayment 200.00, return of the prepayment 200.00
a prepaid order that is returned while its sale is queued gets its whole prepayment back:
  order prepaid 200, print, status 3, status 6, print all
  = prepayment 200.00, return of the prepayment 200.00
a prepaid order that is returned while its sale is handed out gets a return of the sale:
  order prepaid 200, print, status 3, handed out, status 6, printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 501.00
a prepaid order that is returned after its sale gets a return of the sale:
  order prepaid 200, print, status 3, print, status 6, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 501.00
the part of a prepayment that a smaller sale does not use goes back:
  order prepaid 501, print, edit to 1 piece (422 prePaymentSum), prepaid 250.5 (422 prePaymentSum),
  courier cancels 1, status 4, print all
  = prepayment 501.00, sale 250.50 with 250.50 prepaid, return of the prepayment 250.50
a prepayment goes back as a whole when the courier cancels all pieces:
  order prepaid 200, print, courier cancels 2, status 4, print all
  = prepayment 200.00, return of the prepayment 200.00
a refund of a part of a prepayment is refused before the sale is printed:
  order prepaid 200, print, refund of 1 (422 goods), courier brings back 1 (422 goods), nothing to print
  = prepayment 200.00
a refund order of a part of a prepaid order can be paid only after the sale is printed:
  order prepaid 200, print, unpaid refund of 1, refund 1 paid 1 (422 goods), status 3, print, refund 1 paid 1,
  print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 250.50
a refund order of the whole gives the prepayment back, and a later sale uses no prepayment:
  order prepaid 200, print, refund of 2, print, status 3, print all
  = prepayment 200.00, return of the prepayment 200.00, sale 501.00
the sale waits while the return of its prepayment is handed out:
  order prepaid 200, print, refund of 2, handed out, status 3, failed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 501.00
a refund order of a whole delivered order waits until the sale is printed:
  order prepaid 200, handed out, status 3, refund of 2, printed, handed out, handed out, printed, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 501.00
a refund order after the sale gives back the sale, not the prepayment:
  order prepaid 200, print, status 3, print, refund of 1, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 250.50
## Refund orders.
a refund order gives back its goods, and a second one the rest:
  order paid online, print, refund of 1, print, refund of 1, print all
  = sale 501.00, return 250.50, return 250.50
a refund order of more than was sold is refused:
  order paid online, print, refund of 1, refund of 2 (422 goods[0].count), print all
  = sale 501.00, return 250.50
a refund order is printed only after its sale is printed:
  order paid online, refund of 1, handed out, unknown, nothing to print, printed, print all
  = sale 501.00, return 250.50
a refund order of a failed sale makes the sale be tried again:
  order paid online, handed out, failed, refund of 1, print all
  = sale 501.00, return 250.50
an unpaid refund order has no receipt:
  order paid online, print, unpaid refund of 1, nothing to print
  = sale 501.00
payments do not make an unpaid refund order paid, whoever reports them:
  order paid online, print, unpaid refund of 1, refund 1 gives back 250.50, courier collects 250.5 of refund 1,
  nothing to print
  = sale 501.00
  ! given back unpaid
edits of payments do not make a paid or printed refund order unpaid:
  order paid online, print, refund of 2, refund 1 gives back 501, refund 1 gives back 500, print all,
  refund 1 gives back 501, refund 1 gives back 500, refund 1 gives back nothing and is unpaid (422 statusId)
  = sale 501.00, return 501.00
an unpaid refund order does not prevent the return of the whole, and cannot be paid after it:
  order paid online, print, unpaid refund of 1, status 6, print all, refund 1 paid 1 (422 orderId)
  = sale 501.00, return 501.00
a refund order that is made unpaid is withdrawn if no print server has its return:
  order paid online, print, refund of 1, refund 1 paid 0, nothing to print
  = sale 501.00
a refund order whose return is handed out cannot be made unpaid:
  order paid online, print, refund of 1, handed out, refund 1 paid 0 (422 statusId), printed
  = sale 501.00, return 250.50
the goods of a refund order cannot be edited once its return is handed out:
  order paid online, print, refund of 1, handed out, refund 1 edit to 2 pieces (422 goods), printed
  = sale 501.00, return 250.50
status 6 (returned) after a refund order of a part gives nothing more back, and gives an alert:
  order paid online, print, refund of 1, print, status 6, nothing to print
  = sale 501.00, return 250.50
  ! rest of the whole
a refund order of the rest ends the alert about status 6 after a refund order of a part:
  order paid online, print, refund of 1, print, status 6, refund of 1, print all
  = sale 501.00, return 250.50, return 250.50
status 6 (returned) after a refund order of the whole gives nothing more back:
  order paid online, print, refund of 2, status 6, print all
  = sale 501.00, return 501.00
a refund order is refused once the whole order is returned, printed or not:
  order paid online, print, status 6, refund of 1 (422 orderId), print, refund of 1 (422 orderId)
  = sale 501.00, return 501.00
a refund without a position takes a good that was sold at two rates from the first rate with enough left:
  order of tea at 22 and at 10 %, print, refund of 1, print, refund of 1, print all
  = sale 501.00, return 250.50, return 250.50 at 10 %
a refund of a good that was sold at two rates has both rates on one receipt:
  order of tea at 22 and at 10 %, print, refund of 2, print all
  = sale 501.00, return 501.00
refunds that name positions of two rates have each position's own rate:
  order of tea at 22 and at 10 %, print, refund of 1 at position 2, print, refund of 1 at position 1, print
  = sale 501.00, return 250.50 at 10 %, return 250.50
a refund order in another form than its sale is printed in that form, and gives an alert:
  order paid online, print, refund of 1 in cash, print all
  = sale 501.00, return 250.50 in cash
  ! other form
a refund order in a form in which its sale took money gives no alert:
  unpaid order prepaid 200, courier collects 301, print, status 3, print, refund of 1, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 250.50
## Edits.
an edit before the receipt is handed out changes the receipt:
  order paid online, edit to 1 piece, print all
  = sale 250.50
an edit of the goods is refused while the receipt is handed out:
  order paid online, handed out, edit to 1 piece (422 goods), printed
  = sale 501.00
an edit and a cancellation are refused while the receipt is handed out or its outcome is unknown:
  order paid online, handed out, courier cancels 1 (422 goods), unknown, edit to 1 piece (422 goods),
  courier cancels 1 (422 goods), printed, courier cancels 1 (422 goods)
  = sale 501.00
a sale that is printed late, after an edit, is returned as it was printed:
  order paid online, handed out, failed, edit to 1 piece, late: printed, status 6, print all
  = sale 501.00, return 501.00
  ! sale says otherwise
an edit of the goods is refused after the receipt is printed:
  order paid online, print, edit to 1 piece (422 goods)
  = sale 501.00
the queued receipt of an order that is made unpaid is withdrawn, and queued again when the order is paid:
  order paid online, paid 0, nothing to print, paid 1, print all
  = sale 501.00
an order cannot be made unpaid once its receipt is handed out or printed:
  order paid online, handed out, paid 0 (422 statusId), printed, paid 0 (422 statusId)
  = sale 501.00
the sum of a printed prepayment cannot be edited:
  order prepaid 200, print, prepaid 100 (422 prePaymentSum)
  = prepayment 200.00
a courier cannot cancel pieces that a refund order waits to give back:
  unpaid order prepaid 200, refund of 1, paid 1, courier cancels 2 (422 goods), print, status 3, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid, return 250.50
  ! rest by its status alone
an edit to less than the refund orders give back is refused:
  order paid online, refund of 2, edit to 1 piece (422 goods), print all
  = sale 501.00, return 501.00
## Failures, doubts and late results.
a failed sale gives an alert:
  order paid online, handed out, failed, nothing to print
  ! has failed
a failed prepayment gives an alert:
  order prepaid 200, handed out, failed, nothing to print
  ! has failed
a failed return of a refund order gives an alert:
  order paid online, print, refund of 1, handed out, failed, nothing to print
  = sale 501.00
  ! has failed
a failed sale gives no alert once the order is unpaid and no receipt is due:
  order paid online, handed out, failed, paid 0, nothing to print
a failed receipt is tried again when the order is written:
  order paid online, handed out, failed, nothing to print, note, print all
  = sale 501.00
a receipt with an unknown outcome is not tried again:
  order paid online, handed out, unknown, note, nothing to print, printed, nothing to print
  = sale 501.00
a receipt whose outcome was unknown and that failed is tried again when the order is written:
  order paid online, handed out, unknown, failed, note, print all
  = sale 501.00
a failed receipt that is printed late takes its successor out of the queue:
  order paid online, handed out, failed, note, late: printed, nothing to print
  = sale 501.00
a failed receipt whose late outcome is unknown holds its successor back:
  order paid online, handed out, failed, note, late: unknown, printed, nothing to print
  = sale 501.00
a failed receipt that is printed late beside its successor gives an alert:
  order paid online, handed out, failed, note, handed out, late: printed, printed, nothing to print
  = sale 501.00, sale 501.00
  ! sale twice
a failed sale that is printed late, after an edit to fewer pieces, gives an alert:
  order paid online, handed out, failed, edit to 1 piece, late: printed, nothing to print
  = sale 501.00
  ! sale says otherwise
an edit of the order to its late receipt ends the alert about the difference:
  order paid online, handed out, failed, edit to 1 piece, late: printed, edit to 2 pieces, nothing to print
  = sale 501.00
a failed sale that is printed late, after its order was made unpaid, gives an alert:
  order paid online, handed out, failed, paid 0, late: printed, nothing to print
  = sale 501.00
  ! sale says otherwise
a failed return of the whole that is printed late after a refund order gives an alert, and nothing more goes back:
  order paid online, print, status 6, handed out, failed, refund of 1, print, late: printed, note, refund 1 note,
  nothing to print
  = sale 501.00, return 250.50, return 501.00
  ! sale
a failed return of the whole that is printed late leaves nothing for a queued refund order:
  order paid online, print, status 6, handed out, failed, refund of 1, late: printed, nothing to print
  = sale 501.00, return 501.00
  ! too little left
a deleted refund order whose failed return is printed late counts against the return of the whole:
  order paid online, print, refund of 1, handed out, failed, refund 1 paid 0, refund 1 deleted, status 6,
  late: printed, nothing to print
  = sale 501.00, return 250.50
  ! return says otherwise, rest of the whole
a failed return that is printed late, after its refund order was edited to another tax rate, gives an alert:
  order of tea at 22 and at 10 %, print, refund of 1 at position 1, handed out, failed, refund 1 edit to position 2,
  late: printed, refund 1 note, nothing to print
  = sale 501.00, return 250.50
  ! return says otherwise
a handed-out receipt that is put back into the queue is made again with the present order:
  order paid online, handed out, edit to 1 piece (422 goods), released, edit to 1 piece, print all
  = sale 250.50
a handed-out sale that is put back into the queue uses a prepayment that was printed meanwhile:
  order prepaid 200, handed out, failed, status 3, handed out, late: printed, released, note, print all
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
a sale waits while it is unknown whether the return of its prepayment is printed:
  order prepaid 501, print, status 6, handed out, unknown, status 3, nothing to print, printed, note, print all
  = prepayment 501.00, return of the prepayment 501.00, sale 501.00
a printed refund order cannot be edited to goods that another refund order has given back:
  order of tea at 22 and at 10 %, print, refund of 1 at position 1, print, refund of 1 at position 2, print,
  refund 1 edit to position 2 (422 goods[0].count), nothing to print
  = sale 501.00, return 250.50, return 250.50 at 10 %
a failed sale that is printed late, beside the return of its prepayment, gives an alert, and nothing more goes back:
  order prepaid 501, print, status 3, handed out, failed, status 6, handed out, late: printed, printed, note,
  nothing to print
  = prepayment 501.00, sale 501.00 with 501.00 prepaid, return of the prepayment 501.00
  ! prepayment
a failed return that is printed late, so that one tax rate goes back twice, gives an alert:
  order of tea at 22 and at 10 %, print, refund of 1 at position 1, handed out, failed, refund 1 note, print,
  late: printed, note, refund of 1 at position 2, nothing to print
  = sale 501.00, return 250.50, return 250.50
  ! return twice, rates of the sale, too little left
`;
