/** Stories of an order's money where the courier's own register prints too (54-fz 10, 15). */
export const courierStories = `
## The courier's own register.
a sale that the courier's register printed is not printed again:
  order unpaid, courier collects 501, courier status 3 with receipt, nothing to print
after a sale of the courier's register his payment is accepted, and an edit of the goods refused:
  order unpaid, courier's sale receipt, courier collects 501, edit to 1 piece (422 goods)
a sale of the courier's register that his payments do not cover gives an alert:
  order unpaid, courier collects 100, courier status 3 with receipt, nothing to print
  ! courier not covered
a return of the courier's register gives an alert if our own return has given back all:
  order paid online, print, status 6, print, courier's return receipt, nothing to print
  = sale 501.00, return 501.00
  ! nothing left
a sale of the courier's register takes our sale out of the queue:
  order paid online, courier's sale receipt, nothing to print
a sale of the courier's register beside our handed-out sale gives an alert once ours is printed:
  order paid online, handed out, courier's sale receipt, printed, nothing to print
  = sale 501.00
  ! sale twice
a sale of the courier's register stands when our handed-out sale fails:
  order paid online, handed out, courier's sale receipt, failed, note, nothing to print
a document of the courier's register that is reported twice is one sale:
  order paid online, courier's sale receipt, the same sale receipt again, nothing to print
a document of the courier's register that is reported first as sale and then as return is refused:
  order paid online, courier's sale receipt, the same return receipt again (422 receipt.fdNumber)
a refund of a sale of the courier's register has the order's lines, and gives an alert:
  order paid online, courier's sale receipt, refund of 1, print all
  = return 250.50
  ! assumed sale
a sale of the courier's register uses the prepayment, and the rest of the prepayment goes back:
  order prepaid 501, print, courier cancels 1, courier status 4 with receipt, print all
  = prepayment 501.00, return of the prepayment 250.50
  ! assumed sale
a sale of the courier's register uses a prepayment that is handed out:
  order prepaid 200, handed out, courier's sale receipt, printed, status 6, print all
  = prepayment 200.00, return 501.00
  ! assumed sale
a sale of the courier's register uses a failed prepayment that is printed late:
  order prepaid 200, handed out, failed, courier's sale receipt, late: printed, nothing to print
  = prepayment 200.00
a sale of the courier's register uses the prepayment when our own sale fails:
  order prepaid 200, print, status 3, handed out, courier's sale receipt, failed, nothing to print
  = prepayment 200.00
a return of the courier's register of more than was sold is stored, and gives an alert:
  order paid online, print, refund of 1, print, courier brings back 2 with receipt, nothing to print
  = sale 501.00, return 250.50
  ! sale
a sale of the courier's register withdraws a queued return of the prepayment:
  order prepaid 501, print, refund of 2, courier's sale receipt, print all
  = prepayment 501.00, return 501.00
  ! assumed sale
a sale of the courier's register beside a handed-out return of the prepayment gives an alert:
  order prepaid 501, print, refund of 2, handed out, courier's sale receipt, printed, print all
  = prepayment 501.00, return of the prepayment 501.00
  ! prepayment, assumed sale
a courier's whole return after a failed sale is of the prepayment, and a late print of the sale gives an alert:
  order prepaid 200, print, status 3, handed out, failed, courier status 6 with receipt, late: printed, refund of 1,
  nothing to print
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
  ! prepayment, waits for its prepayment, rest of the whole
a courier's whole return after a failed sale of ours gives back all that his register sells later:
  order paid online, handed out, failed, refund of 1, courier status 6 with receipt, courier's sale receipt,
  nothing to print
  ! too little left
a courier's return after a failed sale gives an alert when the sale is printed late, and nothing more goes back:
  order prepaid 200, print, status 3, handed out, failed, courier's return receipt, late: printed, nothing to print
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
  ! prepayment, unnamed return
a courier's return after a failed sale is of the prepayment once a refund order names it:
  order prepaid 200, print, status 3, handed out, failed, courier's return receipt, status 6, refund of 2,
  nothing to print
  = prepayment 200.00
  ! assumed share
two courier's returns after a failed sale leave nothing to give back when the sale is printed late:
  order prepaid 501, print, status 3, handed out, courier's return receipt, failed, status 6, refund of 1,
  courier's receipt of refund 1, late: printed, nothing to print
  = prepayment 501.00, sale 501.00 with 501.00 prepaid
  ! return twice, prepayment, assumed share
a courier's return that comes with status 6 (returned) gives back the whole sale:
  order paid online, print, courier status 6 with receipt, nothing to print
  = sale 501.00
a courier's return after status 6 (returned) gives back the whole sale:
  order paid online, print, status 6, courier's return receipt, nothing to print
  = sale 501.00
a courier's return of goods belongs to the refund order that it makes:
  order paid online, print, courier brings back 1 with receipt, nothing to print, refund of 1, print all
  = sale 501.00, return 250.50
a courier's return that names only the sale belongs to the refund order that has no return yet:
  order paid online, print, refund of 1, courier's return receipt, nothing to print
  = sale 501.00
a courier's return that names a refund order belongs to that refund order:
  order paid online, print, refund of 1, refund of 1, courier's receipt of refund 2, print all
  = sale 501.00, return 250.50
a courier's return without a refund order is stored, and nothing goes back until a refund order comes:
  order paid online, print, courier's return receipt, status 6, nothing to print
  = sale 501.00
  ! unnamed return
a refund order that comes after a courier's return without one takes that return:
  order paid online, print, courier's return receipt, refund of 1, nothing to print, refund of 1, print all
  = sale 501.00, return 250.50
two refund orders that could both be a courier's return give an alert:
  order paid online, print, refund of 1, refund of 1, courier's return receipt, nothing to print
  = sale 501.00
  ! unnamed return, waits for a name
a refund order gives an alert when more of the prepayment is used than there was:
  order prepaid 501, print, status 3, handed out, courier's sale receipt, refund of 1, printed, print all
  = prepayment 501.00, sale 501.00 with 501.00 prepaid
  ! sale twice, prepayment, waits for its prepayment
a courier's return that fits two refund orders waits until a report says to which it belongs:
  order paid online, print, refund of 1, refund of 1, courier's return receipt, nothing to print,
  the same receipt names refund 2, print all
  = sale 501.00, return 250.50
a courier's return of the prepayment stays a whole return when a refund order of a part takes it:
  order prepaid 501, print, courier's return receipt, refund of 1, status 3, print all
  = prepayment 501.00, sale 501.00
  ! assumed share
a refund order that takes a courier's return of the prepayment makes a failed sale be tried again:
  order prepaid 501, print, courier's return receipt, status 3, handed out, failed, refund of 1, print all
  = prepayment 501.00, sale 501.00
  ! assumed share
a courier's return before the sale gives back the whole prepayment:
  order prepaid 501, print, courier's return receipt, status 3, print all
  = prepayment 501.00, sale 501.00
  ! unnamed return
a courier's return while the sale is handed out, and then fails, gives back the whole prepayment:
  order prepaid 501, print, status 3, handed out, courier's return receipt, refund of 1, failed, note, print all
  = prepayment 501.00, sale 501.00
  ! assumed share
a courier's return gives back a prepayment that is printed late, beside a sale that was made again:
  order prepaid 501, handed out, status 3, failed, courier's return receipt, edit to 3 pieces, print, late: printed,
  refund of 1, print all
  = sale 751.50, prepayment 501.00
  ! assumed share
a courier's return while the sale is handed out, and then printed, gives back the sale:
  order prepaid 501, print, status 3, handed out, courier status 6 with receipt, printed, print all
  = prepayment 501.00, sale 501.00 with 501.00 prepaid
a courier's return is of the prepayment if the handed-out sale is put back into the queue:
  order prepaid 501, print, status 3, handed out, refund of 1, status 6, released, courier's receipt of refund 1,
  print all
  = prepayment 501.00, return of the prepayment 250.50
  ! assumed share
a courier's return counts in full against the sale if the prepayment fails:
  unpaid order prepaid 200, refund of 1, paid 1, courier brings back 2 with receipt, handed out, failed,
  courier status 3 with receipt, nothing to print
  ! too little left
a courier's return of a part before the sale is stored, with the refund order's sum as its sum:
  order prepaid 501, print, courier brings back 1 with receipt, status 3, print all
  = prepayment 501.00, sale 501.00 with 250.50 prepaid
  ! assumed share, rest by its status alone
a courier's return beside our handed-out return gives an alert:
  order paid online, print, refund of 1, handed out, courier's receipt of refund 1, printed
  = sale 501.00, return 250.50
  ! return twice
a courier's return stands when our handed-out return fails:
  order paid online, print, refund of 1, handed out, courier's receipt of refund 1, failed, refund 1 note,
  nothing to print
  = sale 501.00
a sale of the courier's register for an order with status 6 (returned) gets a return of ours:
  order paid online, handed out, status 6, courier's sale receipt, failed, print all
  = return 501.00
  ! assumed sale
a courier's return of an order that was never sold gives an alert:
  order unpaid, courier brings back 1 with receipt
  ! no sale
`;
