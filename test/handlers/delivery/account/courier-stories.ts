/** What comes of an order's money where the courier's own register prints too (54-fz 10, 15). */
export const courierStories = `
## The courier's own register.
a courier's sale is not printed again:
  order unpaid, courier collects 501, courier status 3 with receipt, nothing to print
a courier's sale takes his payment, and no other goods:
  order unpaid, courier's sale receipt, courier collects 501, edit to 1 piece (422 goods)
a courier's sale that his payments do not cover is told:
  order unpaid, courier collects 100, courier status 3 with receipt, nothing to print
  ! courier not covered
a courier's return is told where ours has given back all:
  order paid online, print, status 6, print, courier's return receipt, nothing to print
  = sale 501.00, return 501.00
  ! nothing left
a courier's sale takes ours out of the queue:
  order paid online, courier's sale receipt, nothing to print
a courier's sale beside ours that is handed out is told, while that may be printed:
  order paid online, handed out, courier's sale receipt, printed, nothing to print
  = sale 501.00
  ! sale twice
a courier's sale beside ours that fails is the sale:
  order paid online, handed out, courier's sale receipt, failed, note, nothing to print
the same document again is no second sale:
  order paid online, courier's sale receipt, the same sale receipt again, nothing to print
the same document as a return is 422:
  order paid online, courier's sale receipt, the same return receipt again (422 receipt.fdNumber)
a refund of what the courier's register sold is printed by its assumed lines, and the shop is told:
  order paid online, courier's sale receipt, refund of 1, print all
  = return 250.50
  ! assumed sale
a courier's sale uses the prepayment; what is left goes back:
  order prepaid 501, print, courier cancels 1, courier status 4 with receipt, print all
  = prepayment 501.00, return of the prepayment 250.50
  ! assumed sale
a courier's sale uses the prepayment that a till has:
  order prepaid 200, handed out, courier's sale receipt, printed, status 6, print all
  = prepayment 200.00, return 501.00
  ! assumed sale
a courier's sale uses the prepayment that is printed late:
  order prepaid 200, handed out, failed, courier's sale receipt, late: printed, nothing to print
  = prepayment 200.00
a courier's sale beside our settlement that fails uses the prepayment:
  order prepaid 200, print, status 3, handed out, courier's sale receipt, failed, nothing to print
  = prepayment 200.00
a courier's return of more than was sold is stored, and the shop is told:
  order paid online, print, refund of 1, print, courier brings back 2 with receipt, nothing to print
  = sale 501.00, return 250.50
  ! sale
a courier's sale while the prepayment's return waits for a till keeps the prepayment:
  order prepaid 501, print, refund of 2, courier's sale receipt, print all
  = prepayment 501.00, return 501.00
  ! assumed sale
a courier's sale while the prepayment's return is handed out is told:
  order prepaid 501, print, refund of 2, handed out, courier's sale receipt, printed, print all
  = prepayment 501.00, return of the prepayment 501.00
  ! prepayment, assumed sale
a courier's return with status 6 beside a failed sale is of the prepayment, and the sale that is printed late is told:
  order prepaid 200, print, status 3, handed out, failed, courier status 6 with receipt, late: printed, refund of 1,
  nothing to print
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
  ! prepayment, waits for its prepayment, rest of the whole
a courier's return with status 6 while the sale is held for failed is of all that his register sells then:
  order paid online, handed out, failed, refund of 1, courier status 6 with receipt, courier's sale receipt,
  nothing to print
  ! too little left
a courier's return while the sale is held for failed, which is printed late, is told, and nothing more goes back:
  order prepaid 200, print, status 3, handed out, failed, courier's return receipt, late: printed, nothing to print
  = prepayment 200.00, sale 501.00 with 200.00 prepaid
  ! prepayment, unnamed return
a courier's return beside a sale that stays failed is of the prepayment, once its refund order comes:
  order prepaid 200, print, status 3, handed out, failed, courier's return receipt, status 6, refund of 2,
  nothing to print
  = prepayment 200.00
  ! assumed share
two courier's returns of one refund order beside a failed sale leave nothing for ours once that is printed:
  order prepaid 501, print, status 3, handed out, courier's return receipt, failed, status 6, refund of 1,
  courier's receipt of refund 1, late: printed, nothing to print
  = prepayment 501.00, sale 501.00 with 501.00 prepaid
  ! return twice, prepayment, assumed share
a courier's return with status 6 is of the whole:
  order paid online, print, courier status 6 with receipt, nothing to print
  = sale 501.00
a courier's return at status 6 is of the whole:
  order paid online, print, status 6, courier's return receipt, nothing to print
  = sale 501.00
a courier's return with its refund order is of that:
  order paid online, print, courier brings back 1 with receipt, nothing to print, refund of 1, print all
  = sale 501.00, return 250.50
a courier's return that names the sale is of the refund order that waits for one:
  order paid online, print, refund of 1, courier's return receipt, nothing to print
  = sale 501.00
a courier's return that names a refund order is of that:
  order paid online, print, refund of 1, refund of 1, courier's receipt of refund 2, print all
  = sale 501.00, return 250.50
a courier's return without a refund order is stored, and nothing goes back until one names it:
  order paid online, print, courier's return receipt, status 6, nothing to print
  = sale 501.00
  ! unnamed return
a refund order that comes names it:
  order paid online, print, courier's return receipt, refund of 1, nothing to print, refund of 1, print all
  = sale 501.00, return 250.50
refund orders that wait for a courier's return to be named are told:
  order paid online, print, refund of 1, refund of 1, courier's return receipt, nothing to print
  = sale 501.00
  ! unnamed return, waits for a name
a refund order is told where more of the prepayment is used than there was:
  order prepaid 501, print, status 3, handed out, courier's sale receipt, refund of 1, printed, print all
  = prepayment 501.00, sale 501.00 with 501.00 prepaid
  ! sale twice, prepayment, waits for its prepayment
a courier's return that fits two refund orders is stored without a name until it has one:
  order paid online, print, refund of 1, refund of 1, courier's return receipt, nothing to print,
  the same receipt names refund 2, print all
  = sale 501.00, return 250.50
a refund order of a part that names a courier's return of the prepayment leaves that the whole:
  order prepaid 501, print, courier's return receipt, refund of 1, status 3, print all
  = prepayment 501.00, sale 501.00
  ! assumed share
a refund order that names a courier's return of the prepayment has the sale that failed tried again:
  order prepaid 501, print, courier's return receipt, status 3, handed out, failed, refund of 1, print all
  = prepayment 501.00, sale 501.00
  ! assumed share
a courier's return before the settlement is of the whole prepayment:
  order prepaid 501, print, courier's return receipt, status 3, print all
  = prepayment 501.00, sale 501.00
  ! unnamed return
a courier's return while the settlement is handed out, which then fails, is of the whole prepayment:
  order prepaid 501, print, status 3, handed out, courier's return receipt, refund of 1, failed, note, print all
  = prepayment 501.00, sale 501.00
  ! assumed share
a courier's return of a sale that is made again is of the whole prepayment that is printed late:
  order prepaid 501, handed out, status 3, failed, courier's return receipt, edit to 3 pieces, print, late: printed,
  refund of 1, print all
  = sale 751.50, prepayment 501.00
  ! assumed share
a courier's return after the settlement was handed out is of the sale:
  order prepaid 501, print, status 3, handed out, courier status 6 with receipt, printed, print all
  = prepayment 501.00, sale 501.00 with 501.00 prepaid
a courier's return after the settlement was released is of the prepayment, whose rest goes back:
  order prepaid 501, print, status 3, handed out, refund of 1, status 6, released, courier's receipt of refund 1,
  print all
  = prepayment 501.00, return of the prepayment 250.50
  ! assumed share
a courier's return beside a prepayment that fails counts in full against the sale:
  unpaid order prepaid 200, refund of 1, paid 1, courier brings back 2 with receipt, handed out, failed,
  courier status 3 with receipt, nothing to print
  ! too little left
a courier's return of a part before the settlement is stored, its sum assumed:
  order prepaid 501, print, courier brings back 1 with receipt, status 3, print all
  = prepayment 501.00, sale 501.00 with 250.50 prepaid
  ! assumed share, rest by its status alone
a courier's return beside ours that is handed out is told:
  order paid online, print, refund of 1, handed out, courier's receipt of refund 1, printed
  = sale 501.00, return 250.50
  ! return twice
a courier's return beside ours that fails is the return:
  order paid online, print, refund of 1, handed out, courier's receipt of refund 1, failed, refund 1 note,
  nothing to print
  = sale 501.00
a courier's return while his register sells is no return of ours:
  order paid online, handed out, status 6, courier's sale receipt, failed, print all
  = return 501.00
  ! assumed sale
a return of what nobody sold is told:
  order unpaid, courier brings back 1 with receipt
  ! no sale
`;
