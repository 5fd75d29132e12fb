export { countReceipts } from './related-store.ts';
export {
  allOperators,
  countKeys,
  firstOperator,
  keyOfOperator,
  type OperatorRow,
  operatorById,
  operatorBySeq,
  operatorsAfter,
} from './store.ts';
