export { countReceipts } from './related-store.ts';
export {
  allOperators,
  countKeys,
  deleteKeys,
  firstOperator,
  hasLastAdminKey,
  isAdministered,
  isKey,
  keyOfOperator,
  type OperatorRow,
  operatorById,
  operatorBySeq,
  operatorsAfter,
} from './store.ts';
