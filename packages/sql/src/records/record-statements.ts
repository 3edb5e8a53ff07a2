import type { Lock } from '@gateleg/domain/access/lock'
import type { Column, TableSchema } from '@gateleg/domain/schemas/table-schema'
import { type BoundedSelect, boundedSelect, type Search } from '../core/bounded-select.ts'
import type { SqlDialect, TypedColumn } from '../core/dialect.ts'
import { quote, systemColumns } from '../schemas/record-table.ts'

const {
  id,
  autoNumber,
  createdTime,
  lastModifiedTime,
  createdBy,
  lastModifiedBy,
  version,
  deletionId,
  deletedTime,
  deletedBy,
} = systemColumns

/** The columns that are read of every record, before those of the fields. */
const readColumns: readonly TypedColumn[] = [
  id,
  autoNumber,
  createdTime,
  lastModifiedTime,
  createdBy,
  lastModifiedBy,
  version,
]

/** How many columns of a read row come before those of the fields. */
export const systemColumnsRead = readColumns.length

/** The columns that are written of a new record, before those of the fields. */
const newColumns: readonly TypedColumn[] = readColumns.filter((column) => column !== autoNumber)

/** The columns of a replacement: a text, and what to put for it. */
export const replacementColumns: readonly TypedColumn[] = [
  { name: '__replaced', type: 'TEXT' },
  { name: '__replacement', type: 'TEXT' },
]
const [replacedText, replacementText] = replacementColumns.map(({ name }) => quote(name))

const nextVersion = `${quote(version.name)} = t.${quote(version.name)} + 1`

const isLiving = `${quote(deletionId.name)} is null`

function list(columns: readonly TypedColumn[], prefix = ''): string {
  return columns.map(({ name }) => prefix + quote(name)).join(', ')
}

/**
 * The statements for the records of one schema. Their text depends on the schema alone, and on how
 * many rows they take, so that each is prepared once and used for every record.
 */
export class RecordStatements {
  readonly insertColumns: readonly TypedColumn[]
  /** One record. Values: its id. */
  readonly find: Readonly<Record<Lock, string>>
  readonly #dialect: SqlDialect
  readonly #table: string
  readonly #fieldColumns: readonly TypedColumn[]
  #insertOne: string | undefined

  constructor(schema: TableSchema, dialect: SqlDialect) {
    const fieldColumns = schema.columns.map(({ column }) => column)
    this.#dialect = dialect
    this.#table = dialect.recordTable(schema.baseId, schema.dbTableName)
    this.#fieldColumns = fieldColumns
    this.insertColumns = [...newColumns, ...fieldColumns]
    const byId = `${this.#select()} where ${isLiving} and ${quote(id.name)} = ${dialect.placeholder(1)}`
    const find = (lock: Lock) => `${byId} ${dialect.lockClause(lock, 't')}`
    this.find = { none: find('none'), share: find('share'), update: find('update') }
  }

  /**
   * Records by a list of ids, in the order of ids, so that two transactions that hold them can't wait for
   * each other.
   */
  findAll(lock: Lock, columns?: readonly Column[]): BoundedSelect {
    const condition = `${isLiving} and ${this.#dialect.isInList(id, 1)}`
    return this.#bounded(columns, { key: id, condition, ending: '', values: 1, lock })
  }

  /** A page in the order of numbers. Values: the number before it, how many to take and to pass over. */
  page(withDeleted: boolean, lock: Lock, columns?: readonly Column[]): BoundedSelect {
    const [after, take, skip] = [1, 2, 3].map((n) => this.#dialect.placeholder(n))
    const key = autoNumber
    const living = withDeleted ? '' : `${isLiving} and `
    const condition = `${living}${quote(key.name)} > ${after}`
    const ending = ` limit ${take} offset ${skip}`
    return this.#bounded(columns, { key, condition, ending, values: 3, lock })
  }

  /** One row when two records have the same value in the column. */
  hasRepeats(column: Column): string {
    const value = quote(column.name)
    return `select 1 from ${this.#table} where ${isLiving} and ${value} is not null group by ${value} having count(*) > 1 limit 1`
  }

  /** One row when a record has no value in the column. */
  hasEmpty(column: Column): string {
    return `select 1 from ${this.#table} where ${isLiving} and ${quote(column.name)} is null limit 1`
  }

  /** How many records there are. Values: where counting ends. */
  count(withDeleted: boolean): string {
    const most = this.#dialect.placeholder(1)
    const where = withDeleted ? '' : `where ${isLiving} `
    return `select count(*) from (select 1 from ${this.#table} ${where}limit ${most}) as counted`
  }

  /** The id and value of the first record for each text of a list. */
  findByText(column: Column): string {
    const number = quote(autoNumber.name)
    const first = `select min(${number}) from ${this.#table} where ${isLiving} and ${this.#dialect.isInList(column, 1)} group by ${quote(column.name)}`
    return `select ${list([id])}, ${this.#dialect.readColumn(column)} from ${this.#table} where ${number} in (${first})`
  }

  /** The id and value of records whose value in the column, a unique one, is in a list. */
  findHolders(column: Column): string {
    const holder = `${list([id])}, ${this.#dialect.readColumn(column)}`
    return `select ${holder} from ${this.#table} where ${isLiving} and ${this.#dialect.isInUniqueList(column, 1)}`
  }

  /** Adds one row. */
  get insertOne(): string {
    if (this.#insertOne === undefined) {
      const places = this.insertColumns.map(({ type }, index) =>
        this.#dialect.placeholder(index + 1, type),
      )
      this.#insertOne = `insert into ${this.#table} (${list(this.insertColumns)}) values (${places.join()})`
    }
    return this.#insertOne
  }

  /** The greatest number that a record has; null when there is none. */
  get lastNumber(): string {
    return `select max(${quote(autoNumber.name)}) from ${this.#table}`
  }

  /** Adds so many rows. Answers their ids and numbers. */
  insert(rows: number): string {
    const values = this.#dialect.rowsTable('v', this.insertColumns, rows, 1)
    const columns = list(this.insertColumns)
    return `insert into ${this.#table} (${columns}) select ${columns} from ${values} returning ${list([id, autoNumber])}`
  }

  /**
   * Replaces values of so many records. Values: who, when, then the rows, each with its number first. The
   * rows stand after `set`, because places are in the order of the text.
   */
  update(columns: readonly Column[], rows: number): string {
    const set = [lastModifiedBy, lastModifiedTime].map(
      ({ name }, index) => `${quote(name)} = ${this.#dialect.placeholder(index + 1)}`,
    )
    return this.#setCells({ before: set, columns, rows, emptied: [] })
  }

  /** Does the same without who and when: its values are the rows alone. Empties other columns, too. */
  setCells(
    columns: readonly Column[],
    rows: number,
    emptied: readonly Pick<Column, 'name'>[],
  ): string {
    return this.#setCells({ before: [], columns, rows, emptied })
  }

  /** Gives records the same values. Values: one per column, then the list of numbers. */
  setSameCells(columns: readonly Column[], emptied: readonly Pick<Column, 'name'>[]): string {
    const set = columns.map(
      ({ name, type }, index) => `${quote(name)} = ${this.#dialect.placeholder(index + 1, type)}`,
    )
    const condition = this.#dialect.isInList(autoNumber, columns.length + 1)
    const all = [...set, ...emptied.map(toNull), nextVersion].join(', ')
    return `update ${this.#table} as t set ${all} where ${condition}`
  }

  /** `before` has a value each, which come before those of the rows. */
  #setCells({
    before,
    columns,
    rows,
    emptied,
  }: {
    readonly before: readonly string[]
    readonly columns: readonly Column[]
    readonly rows: number
    readonly emptied: readonly Pick<Column, 'name'>[]
  }): string {
    const values = this.#dialect.rowsTable('v', [autoNumber, ...columns], rows, before.length + 1)
    const set = [
      ...before,
      nextVersion,
      ...emptied.map(toNull),
      ...columns.map(({ name }) => `${quote(name)} = v.${quote(name)}`),
    ]
    const match = `t.${quote(autoNumber.name)} = v.${quote(autoNumber.name)}`
    return `update ${this.#table} as t set ${set.join(', ')} from ${values} where ${match}`
  }

  /**
   * Puts one text for another in so many ways, each a row of `replacementColumns`; then come the values of
   * `#inRange`, the first of them at `rangeAt`. Answers the id and the deletion of every record that changed.
   */
  replaceTexts(column: Column, rows: number, rangeAt: number): string {
    const cell = quote(column.name)
    const values = this.#dialect.rowsTable('v', replacementColumns, rows, 1)
    const answer = `returning ${list([id, deletionId])}`
    const inRange = this.#inRange(rangeAt)
    if (column.type === 'TEXT') {
      const set = `${cell} = v.${replacementText}, ${nextVersion}`
      return `update ${this.#table} as t set ${set} from ${values} where t.${cell} = v.${replacedText} and ${inRange} ${answer}`
    }
    const items = this.#dialect.listItems(`t.${cell}`, 'i')
    // An item that is there twice after it stays where it is first.
    const item = `case when r.${replacedText} is null then i.value else r.${replacementText} end`
    const kept = `select ${item} as text, min(i.key) as place from ${items} left join r on r.${replacedText} = i.value where r.${replacedText} is null or r.${replacementText} is not null group by 1`
    const made = `select ${this.#dialect.listOf('kept.text', 'kept.place')} from (${kept}) as kept`
    const holds = `select 1 from ${items} join r on r.${replacedText} = i.value`
    const changed = `select t.${quote(id.name)} as record_id, (${made}) as list from ${this.#table} as t where ${inRange} and exists (${holds})`
    const set = `${cell} = s.list, ${nextVersion}`
    return `with r as materialized (select * from ${values}), s as materialized (${changed}) update ${this.#table} as t set ${set} from s where t.${quote(id.name)} = s.record_id ${answer}`
  }

  /** Gives cells in a column the values that another one has. Values: those of `#inRange`. */
  copyColumn(from: Column, to: Column): string {
    const [value, copy] = [quote(from.name), quote(to.name)]
    const isFilled = `(${value} is not null or ${copy} is not null)`
    const set = `${copy} = ${value}, ${nextVersion}`
    return `update ${this.#table} as t set ${set} where ${this.#inRange(1)} and ${isFilled}`
  }

  /** The bytes of records of numbers in a list. Values: the list. */
  get bytesOfNumbers(): string {
    return this.#bytesOf(this.#dialect.isInList(autoNumber, 1))
  }

  /** The bytes of records of ids in a list. Values: the list. */
  get bytesOfIds(): string {
    return this.#bytesOf(this.#dialect.isInList(id, 1))
  }

  /** The bytes of records in a range, columns included that no field has any more. Values: those of `#inRange`. */
  bytesInRange(retired: readonly TypedColumn[] = []): string {
    return this.#bytesOf(this.#inRange(1), retired)
  }

  /** Of long columns: others take next to nothing. */
  #bytesOf(condition: string, retired: readonly TypedColumn[] = []): string {
    const long = [...this.#fieldColumns, ...retired].filter(
      ({ type }) => type === 'TEXT' || type === 'JSON',
    )
    const sizes = long.map(({ name }) => `total(octet_length(${quote(name)}))`)
    return `select ${sizes.join(' + ') || '0'} from ${this.#table} where ${condition}`
  }

  /** Takes the values out of a column. Values: those of `#inRange`. */
  emptyColumns(columns: readonly Pick<Column, 'name'>[]): string {
    const names = columns.map(({ name }) => quote(name))
    const isFilled = names.map((name) => `${name} is not null`).join(' or ')
    const set = [...names.map((name) => `${name} = null`), nextVersion].join(', ')
    return `update ${this.#table} as t set ${set} where ${this.#inRange(1)} and (${isFilled})`
  }

  /** Gives records a value. Values: that one, then those of `#inRange`. */
  fill(column: Column): string {
    const set = `${quote(column.name)} = ${this.#dialect.placeholder(1, column.type)}, ${nextVersion}`
    return `update ${this.#table} as t set ${set} where ${this.#inRange(2)}`
  }

  /** Marks records as deleted. Values: the operation, when, who, the list of ids. */
  get markDeleted(): string {
    const set = [deletionId, deletedTime, deletedBy].map(
      ({ name }, index) => `${quote(name)} = ${this.#dialect.placeholder(index + 1)}`,
    )
    return `update ${this.#table} set ${set.join(', ')} where ${isLiving} and ${this.#dialect.isInList(id, 4)}`
  }

  #bounded(
    columns: readonly TypedColumn[] = this.#fieldColumns,
    search: Pick<Search, 'key' | 'condition' | 'ending' | 'values' | 'lock'>,
  ): BoundedSelect {
    return boundedSelect(this.#dialect, {
      table: this.#table,
      columns: [...readColumns, ...columns],
      selected: this.#readList(columns),
      ...search,
    })
  }

  /** Whether a record's number is after one, and not after another one, which are values from the position on. */
  #inRange(position: number): string {
    const [after, until] = [position, position + 1].map((n) => this.#dialect.placeholder(n))
    const number = quote(autoNumber.name)
    return `${number} > ${after} and ${number} <= ${until}`
  }

  /** Records with these cells; all of them where no columns are named. */
  #select(columns: readonly TypedColumn[] = this.#fieldColumns): string {
    return `select ${this.#readList(columns)} from ${this.#table} as t`
  }

  #readList(columns: readonly TypedColumn[]): string {
    const read = columns.map((column) => this.#dialect.readColumn(column))
    return [list(readColumns), ...read].join(', ')
  }
}

const statementsBySchema = new WeakMap<TableSchema, Map<SqlDialect, RecordStatements>>()

/** The statements for the records of the schema, which are made once. */
export function statementsOf(schema: TableSchema, dialect: SqlDialect): RecordStatements {
  const byDialect = statementsBySchema.get(schema) ?? new Map<SqlDialect, RecordStatements>()
  statementsBySchema.set(schema, byDialect)
  const statements = byDialect.get(dialect) ?? new RecordStatements(schema, dialect)
  byDialect.set(dialect, statements)
  return statements
}

function toNull({ name }: Pick<Column, 'name'>): string {
  return `${quote(name)} = null`
}
