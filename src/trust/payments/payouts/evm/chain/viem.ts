// The only functions of viem that payouts use. The first payout loads them by import(), so that a start does
// not. This file keeps the rest of viem out of the executable, which an import() of the package would not.
export { parseTransaction, serializeTransaction } from 'viem/utils';
