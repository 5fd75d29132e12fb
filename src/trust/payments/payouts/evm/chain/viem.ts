// The only functions of viem that payouts use. They are loaded by import() when the first payout is sent, so
// that a start loads none of them. A file that names them keeps the rest of viem out of the executable, which
// a direct import() of the package would not.
export { parseTransaction, serializeTransaction } from 'viem/utils';
