import type { TakenColumnNames } from '../../../schemas/field-repository.ts'
import type { TableSchema } from '../../../schemas/table-schema.ts'
import type { ReadTx } from '../../../store.ts'
import { toFreeName, unusableName } from '../../../values/names.ts'
import { deriveColumnName, toFreeColumnName } from '../../column-name.ts'
import type { CheckedDefinition } from './field-definition.ts'

/** What is taken in the table that new fields go into. */
export interface TakenNames {
  readonly names: ReadonlySet<string>
  readonly columns: TakenColumnNames
  /** The physical columns that there are. */
  readonly columnCount: number
  readonly count: number
  /** The greatest order of a field, -1 when there is none. */
  readonly lastOrder: number
}

/** What is taken in a table that has fields. */
export async function takenNamesIn(
  tx: Pick<ReadTx, 'fields'>,
  schema: TableSchema,
): Promise<TakenNames> {
  return {
    names: new Set(schema.byKey.name.keys()),
    columns: await tx.fields.takenColumnNames(schema.tableId),
    columnCount: await tx.fields.countColumns(schema),
    count: schema.fields.length,
    lastOrder: schema.fields.at(-1)?.field.order ?? -1,
  }
}

/** Gives new fields of a table, one after another, names and columns that no other has. */
export class FieldNamer {
  readonly #names: Set<string>
  readonly #dbFieldNames: Set<string>
  readonly #columnNames: Set<string>
  // What is made up gives way to what is given, wherever in the request that stands.
  readonly #givenNames: ReadonlySet<string | undefined>
  readonly #givenColumns: ReadonlySet<string | undefined>

  constructor(
    { names, columns }: Pick<TakenNames, 'names' | 'columns'>,
    checked: readonly Pick<CheckedDefinition, 'definition'>[],
  ) {
    this.#names = new Set(names)
    this.#dbFieldNames = new Set(columns.dbFieldNames)
    this.#columnNames = new Set(columns.columnNames)
    this.#givenNames = new Set(checked.map(({ definition }) => definition.name))
    this.#givenColumns = new Set(checked.map(({ definition }) => definition.dbFieldName))
  }

  /** The name of a field: the given one, or its default name, numbered where that is taken. */
  nameOf(given: string | undefined, defaultName: string): string {
    const isTaken = (name: string) => this.#names.has(name) || name === unusableName
    const name =
      given === undefined
        ? toFreeName(defaultName, (one) => isTaken(one) || this.#givenNames.has(one))
        : toFreeName(given, isTaken)
    this.#names.add(name)
    return name
  }

  /** Whether another field of the table has the name for its column, as callers see it. */
  isTakenColumn(dbFieldName: string): boolean {
    return this.#dbFieldNames.has(dbFieldName)
  }

  /** The name of the column as callers see it: the given one, which nobody has, or one made from the field's name. */
  async dbFieldNameOf(given: string | undefined, name: string): Promise<string> {
    const isTaken = (one: string) => this.#dbFieldNames.has(one) || this.#givenColumns.has(one)
    const dbFieldName = given ?? toFreeColumnName(await deriveColumnName(name), isTaken)
    this.#dbFieldNames.add(dbFieldName)
    return dbFieldName
  }

  /** The name of the physical column. */
  columnNameOf(dbFieldName: string): string {
    const isTaken = (one: string) => this.#columnNames.has(one.toLowerCase())
    const columnName = toFreeColumnName(dbFieldName, isTaken)
    this.#columnNames.add(columnName.toLowerCase())
    return columnName
  }
}
