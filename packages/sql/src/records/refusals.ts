/** What a caller is told when the storage refuses a record, by why it does. */
export const refusals = {
  unique: 'a value must be unique: another record has it',
  check: 'a required cell must not be empty',
  tooLarge:
    'a record has more filled cells than a row of the database can hold: 8 kB, in which a long text takes 18 bytes. Leave some empty, or spread the fields over two tables',
}
