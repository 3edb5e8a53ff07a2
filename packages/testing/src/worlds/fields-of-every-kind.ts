/** The names of the choices that select fields have. */
export const choices = ['Low', 'high', 'Mid, dle', 'é']

const select = { choices: choices.map((name) => ({ name })) }

/** Fields of the table that the links lead to, for lookups to show. */
export const linkedFields = [
  { type: 'singleLineText', name: 'Title' },
  { type: 'number', name: 'Amount' },
  { type: 'date', name: 'Day', options: { formatting: { timeZone: 'America/New_York' } } },
  { type: 'checkbox', name: 'Is' },
  {
    type: 'singleSelect',
    name: 'Level',
    options: select,
  },
  { type: 'user', name: 'Who' },
]

/** Fields of every kind but those that read others through a link; the links lead to the table. */
export const fieldsOfEveryKind = (foreignTableId: string) => [
  { type: 'singleLineText', name: 'Name' },
  { type: 'longText', name: 'Notes' },
  { type: 'number', name: 'Number' },
  { type: 'rating', name: 'Stars' },
  { type: 'checkbox', name: 'Done' },
  { type: 'date', name: 'Date' },
  {
    type: 'date',
    name: 'Time',
    options: { formatting: { date: 'YYYY', time: 'HH:mm', timeZone: 'Europe/Berlin' } },
  },
  {
    type: 'date',
    name: 'Month',
    options: { formatting: { date: 'YYYY-MM', timeZone: 'Asia/Kolkata' } },
  },
  {
    type: 'date',
    name: 'Year',
    options: { formatting: { date: 'YYYY', timeZone: 'America/Sao_Paulo' } },
  },
  { type: 'singleSelect', name: 'One', options: select },
  { type: 'multipleSelect', name: 'Some', options: select },
  { type: 'user', name: 'User' },
  { type: 'user', name: 'Users', options: { isMultiple: true } },
  { type: 'button', name: 'Button' },
  { type: 'attachment', name: 'Files' },
  {
    type: 'link',
    name: 'Link',
    options: { relationship: 'manyOne', foreignTableId },
  },
  {
    type: 'link',
    name: 'Links',
    options: { relationship: 'manyMany', foreignTableId },
  },
  { type: 'createdTime', name: 'Created' },
  { type: 'lastModifiedTime', name: 'Changed' },
  { type: 'createdBy', name: 'Creator' },
  { type: 'lastModifiedBy', name: 'Changer' },
  { type: 'autoNumber', name: 'ID' },
  {
    type: 'formula',
    name: 'Text formula',
    options: { expression: 'IF({Number} > 0, {Name}, "")' },
  },
  { type: 'formula', name: 'Number formula', options: { expression: '{Number} * 2' } },
  {
    type: 'formula',
    name: 'Price',
    options: {
      expression: '{Number}',
      formatting: { type: 'currency', precision: 2, symbol: 'KČ ' },
    },
  },
  {
    type: 'formula',
    name: 'Share',
    options: { expression: '{Number} / 8', formatting: { type: 'percent', precision: 1 } },
  },
  {
    type: 'formula',
    name: 'Half day',
    options: {
      expression: 'DATE_ADD({Time}, 0, "day")',
      formatting: { date: 'M/D/YYYY', time: 'hh:mm A', timeZone: 'America/New_York' },
    },
  },
  { type: 'formula', name: 'Boolean formula', options: { expression: '{Number} > 0.5' } },
  {
    type: 'formula',
    name: 'Date formula',
    options: { expression: 'DATE_ADD({Date}, 1, "day")' },
  },
]
