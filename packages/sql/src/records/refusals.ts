/** The errors for callers when the storage refuses a record, by its reason. */
export const refusals = {
  unique: 'a value must be unique: another record has it',
  check: 'a required cell must not be empty',
  tooLarge:
    'a record has more filled cells than a row of the database can hold: 8 kB, in which a long text takes 18 bytes. Leave some empty, or spread the fields over two tables',
}
