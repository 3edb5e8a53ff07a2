import type { Lock } from '@gateleg/domain/access/access-repository'
import type { Column, TableSchema } from '@gateleg/domain/fields/table-schema'
import type { SqlDialect, TypedColumn } from './dialect.ts'
import { quote, systemColumns } from './user-table.ts'

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
  readonly #select: string
  #insertOne: string | undefined

  constructor(schema: TableSchema, dialect: SqlDialect) {
    const fieldColumns = schema.columns.map(({ column }) => column)
    this.#dialect = dialect
    this.#table = dialect.userTable(schema.baseId, schema.dbTableName)
    this.#select = `select ${list([...readColumns, ...fieldColumns])} from ${this.#table} as t where ${isLiving}`
    this.insertColumns = [...newColumns, ...fieldColumns]
    const byId = `${this.#select} and ${quote(id.name)} = ${dialect.placeholder(1)}`
    const find = (lock: Lock) => `${byId} ${dialect.lockClause(lock, 't')}`
    this.find = { none: find('none'), share: find('share'), update: find('update') }
  }

  /** Records by a list of ids. They are held in one order, so that two transactions can't wait for each other. */
  findAll(lock: Lock): string {
    const clause = this.#dialect.lockClause(lock, 't')
    const held = clause === '' ? '' : ` order by ${quote(id.name)} ${clause}`
    return `${this.#select} and ${this.#dialect.isInList(id, 1)}${held}`
  }

  /** A page in the order of numbers. Values: the number before it, how many to take and to pass over. */
  get page(): string {
    const [after, take, skip] = [1, 2, 3].map((n) => this.#dialect.placeholder(n))
    const number = quote(autoNumber.name)
    return `${this.#select} and ${number} > ${after} order by ${number} limit ${take} offset ${skip}`
  }

  /** The id and value of records whose value in the column, a unique one, is in a list. */
  findHolders(column: Column): string {
    const holder = list([id, column])
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

  /** The number of the record that was added last. */
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
   * Replaces values of so many records. Values: who, when, then the rows, each with its id first. The
   * rows stand after `set`, because places are in the order of the text.
   */
  update(columns: readonly Column[], rows: number): string {
    const [by, time] = [this.#dialect.placeholder(1), this.#dialect.placeholder(2)]
    const values = this.#dialect.rowsTable('v', [id, ...columns], rows, 3)
    const set = [
      `${quote(lastModifiedBy.name)} = ${by}`,
      `${quote(lastModifiedTime.name)} = ${time}`,
      `${quote(version.name)} = t.${quote(version.name)} + 1`,
      ...columns.map(({ name }) => `${quote(name)} = v.${quote(name)}`),
    ]
    const match = `t.${quote(id.name)} = v.${quote(id.name)}`
    return `update ${this.#table} as t set ${set.join(', ')} from ${values} where ${match}`
  }

  /** Gives every record the value. */
  fill(column: Column): string {
    return `update ${this.#table} set ${quote(column.name)} = ${this.#dialect.placeholder(1, column.type)}`
  }

  /** Marks records as deleted. Values: the operation, when, who, the list of ids. */
  get markDeleted(): string {
    const set = [deletionId, deletedTime, deletedBy].map(
      ({ name }, index) => `${quote(name)} = ${this.#dialect.placeholder(index + 1)}`,
    )
    return `update ${this.#table} set ${set.join(', ')} where ${isLiving} and ${this.#dialect.isInList(id, 4)}`
  }
}
