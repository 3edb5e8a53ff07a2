import type { SchemaField, TableSchema } from '../schemas/table-schema.ts'

/** Whether what is shown of the cells of a field is in the index: names of people change without their records. */
export function isInSearchIndex({ rules, field }: SchemaField): boolean {
  const { kind } = rules.form.item
  return !field.hasError && kind !== 'user' && kind !== 'press'
}

/** What makes the texts that are shown of a field: where another one makes them, they may be others. */
export function coverOf({ field, column, systemColumn, rules }: SchemaField): string {
  // As statements name columns: so it follows one that is renamed.
  const place = column ? `"${column.name.replaceAll('"', '""')}"` : systemColumn
  // Within the form nothing looks like the name of a column.
  const form = JSON.stringify(rules.form).replaceAll('"', "'")
  return `${field.id} ${place} ${form}`
}

/** What makes the texts of all fields in the index of a table, a line for each. */
export function searchDefinition({ fields }: Pick<TableSchema, 'fields'>): string {
  return fields.filter(isInSearchIndex).map(coverOf).join('\n')
}
