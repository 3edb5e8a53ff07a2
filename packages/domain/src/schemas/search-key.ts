/** The key of the index of what is shown of records, with which searches find them; a table has one at most. */
export const searchKey = 'search'
