export {
  allOperators,
  firstOperator,
  keyOfOperator,
  type OperatorRow,
  operatorById,
  operatorBySeq,
} from './store.ts';
