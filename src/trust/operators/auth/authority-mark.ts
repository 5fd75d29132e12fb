/** What is read under an authority mark is valid while the database has this mark. */
export { readAuthorityMark } from '../store.ts';
