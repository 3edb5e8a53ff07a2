import type { Lock } from '@gateleg/domain/access/lock'
import type {
  Column,
  ColumnField,
  SchemaLink,
  TableSchema,
} from '@gateleg/domain/schemas/table-schema'
import { sql } from 'kysely'
import { Place } from '../core/dialect/place.ts'
import type { SqlDialect } from '../core/dialect/sql-dialect.ts'
import type { BoundedSelect, Search } from '../core/statements/bounded-select.ts'
import { linkedTo } from '../links/link-statements.ts'
import { isLiving } from '../record-tables/is-living.ts'
import {
  columnsOfParts,
  keyOf,
  type RecordTable,
  recordTableOf,
} from '../record-tables/record-table.ts'
import { systemColumns } from '../record-tables/system-columns.ts'
import { type RowForm, wholeRows } from './stored-rows.ts'

const { id, autoNumber } = systemColumns
const idName = sql.id(id.name)
const numberName = sql.id(autoNumber.name)

/** What a page is of, and how its rows are. */
interface PageForm {
  readonly withDeleted: boolean
  readonly lock: Lock
  /** Whether the greatest number is said that its records may have. */
  readonly saysUntil: boolean
  readonly form: RowForm
}

/** The statements that read records of one schema. */
export class ReadStatements {
  readonly #table: RecordTable

  constructor(schema: TableSchema, dialect: SqlDialect) {
    this.#table = recordTableOf(schema, dialect)
  }

  /** One record. Values: its id. */
  find(lock: Lock): string {
    const { dialect, name, fieldColumns, texts } = this.#table
    return texts.of(`find ${lock}`, () => {
      const selected = this.#table.selected(fieldColumns)
      const isIt = sql`${isLiving} and ${idName} = ${new Place()}`
      return sql`select ${selected} from ${name} as t where ${isIt} ${dialect.locks.clause(lock, 't')}`
    })
  }

  /**
   * Records by a list of ids, in the order of ids, so that two transactions that hold them can't wait for
   * each other. Values: the list.
   */
  findAll(lock: Lock, columns?: readonly Column[]): BoundedSelect {
    const { texts } = this.#table
    return texts.bounded(`find all ${lock} ${keyOf(columns)}`, () =>
      this.#living(this.#read(columns), lock),
    )
  }

  /** Records by a list of ids, held to be changed, in rows of a form. Values: the list. */
  findToChange(columns: readonly Column[], form: RowForm): BoundedSelect {
    const { texts } = this.#table
    return texts.bounded(`find to change ${formKey(form)} ${keyOf(columns)}`, () =>
      this.#living(this.#read(columns, form), 'update'),
    )
  }

  /**
   * Records that a link leads to one record, held to be changed: how many there are, and as a list each the ids, numbers
   * and bytes of those whose cells in the columns differ from values. Values: these, the id of the record, how many to
   * look at.
   */
  findToShare(
    { link, column }: ColumnField & { readonly link: SchemaLink },
    columns: readonly Column[],
  ): string {
    const { dialect, name, texts, bytesOfRow } = this.#table
    const { end } = link
    return texts.of(`find to share ${end.ownerFieldId} ${end.isOwner} ${keyOf(columns)}`, () => {
      const { lists, locks, values } = dialect
      const differ = columns.map(
        (one) => sql`t.${sql.id(one.name)} is distinct from ${values.bind(new Place(), one.type)}`,
      )
      const isOther = sql`${sql.join(differ, sql` or `)} as is_other`
      const foreignId = new Place()
      const linked = linkedTo(end, dialect, foreignId)
      const read = sql`t.${idName} as id, t.${numberName} as number, ${bytesOfRow} as bytes, ${isOther}`
      const found = sql`select ${read} from (${linked}) as linked join ${name} as t on t.${idName} = linked.${idName} where ${isLiving}`
      // Somebody may have led a record elsewhere before it could be held: its cells are looked at once more then.
      const isLed = sql`t.${sql.id(column.name)} ->> 'id' = ${foreignId}`
      const held = locks.holdsRows
        ? sql`${found} and ${isLed} order by t.${idName} ${locks.clause('update', 't')}`
        : found
      const asked = ['id', 'number', 'bytes'].map((one) => lists.all(sql.id(one), sql`is_other`))
      return sql`with held as (${held}) select count(*), ${sql.join(asked)} from held`
    })
  }

  /** Deleted records by a list of ids, in the order of ids. Values: the list. */
  findDeleted(columns: readonly Column[]): BoundedSelect {
    const { dialect, texts } = this.#table
    return texts.bounded(`find deleted ${keyOf(columns)}`, () => ({
      ...this.#read(columns),
      condition: sql`not (${isLiving}) and ${dialect.lists.includes(new Place(), id)}`,
      key: id,
      ending: sql``,
      lock: 'none',
    }))
  }

  /**
   * A page in the order of numbers. Values: the number before it, the greatest one where that is said, how many to take
   * and to pass over.
   */
  page(
    { withDeleted, lock, saysUntil, form }: PageForm,
    columns?: readonly Column[],
  ): BoundedSelect {
    const { texts } = this.#table
    const key = `page ${withDeleted} ${lock} ${saysUntil} ${formKey(form)} ${keyOf(columns)}`
    return texts.bounded(key, () => {
      const isAfter = sql`${numberName} > ${new Place()}`
      const isIn = saysUntil ? sql`${isAfter} and ${numberName} <= ${new Place()}` : isAfter
      return {
        ...this.#read(columns, form),
        condition: withDeleted ? isIn : sql`${isLiving} and ${isIn}`,
        key: autoNumber,
        ending: sql` limit ${new Place()} offset ${new Place()}`,
        lock,
      }
    })
  }

  /** How many records there are. Values: where counting ends. */
  count(withDeleted: boolean): string {
    const { name, texts } = this.#table
    return texts.of(`count ${withDeleted}`, () => {
      const where = withDeleted ? sql`` : sql`where ${isLiving} `
      return sql`select count(*) from (select 1 from ${name} ${where}limit ${new Place()}) as counted`
    })
  }

  /**
   * How many records have a value in the column, and how many of them are living. Values: how many records
   * are looked at.
   */
  countFilled(column: Column): string {
    const { name, texts } = this.#table
    return texts.of(`count filled ${keyOf([column])}`, () => {
      const isFilled = sql`${sql.id(column.name)} is not null`
      const filled = sql`case when ${isFilled} then 1 end as filled`
      const living = sql`case when ${isFilled} and ${isLiving} then 1 end as living`
      const some = sql`select ${filled}, ${living} from ${name} limit ${new Place()}`
      return sql`select count(filled), count(living) from (${some}) as looked_at`
    })
  }

  /** A row where a record is deleted. Values: its id. */
  get isDeleted(): string {
    const { name, texts } = this.#table
    return texts.of(
      'is deleted',
      () => sql`select 1 from ${name} where not ${isLiving} and ${idName} = ${new Place()}`,
    )
  }

  /** The greatest number that a record has; null when there is none. */
  get lastNumber(): string {
    return this.#table.lastNumber
  }

  /** The id and value of the first record for each text of a list. Values: the list. */
  findByText(column: Column): string {
    const { dialect, name, texts } = this.#table
    return texts.of(`find by text ${keyOf([column])}`, () => {
      const isAsked = sql`${isLiving} and ${dialect.lists.includes(new Place(), column)}`
      const first = sql`select min(${numberName}) from ${name} where ${isAsked} group by ${sql.id(column.name)}`
      return sql`select ${idName}, ${dialect.values.read(column)} from ${name} where ${numberName} in (${first})`
    })
  }

  /** The id and value of records whose value in the column, a unique one, is in a list. Values: the list. */
  findHolders(column: Column): string {
    const { dialect, name, texts } = this.#table
    return texts.of(`find holders ${keyOf([column])}`, () => {
      const isAsked = sql`${isLiving} and ${dialect.lists.includesUnique(new Place(), column)}`
      return sql`select ${idName}, ${dialect.values.read(column)} from ${name} where ${isAsked}`
    })
  }

  #living(read: Pick<Search, 'table' | 'columns' | 'selected'>, lock: Lock): Search {
    const isAsked = this.#table.dialect.lists.includes(new Place(), id)
    return { ...read, condition: sql`${isLiving} and ${isAsked}`, key: id, ending: sql``, lock }
  }

  #read(columns: readonly Column[] | undefined, { parts, withBytes } = wholeRows) {
    const table = this.#table
    const before = columnsOfParts[parts]
    const ofFields = columns ?? table.fieldColumns
    const selected = table.selected(ofFields, before)
    return {
      table: table.name,
      columns: [...before, ...ofFields],
      selected: withBytes ? sql`${selected}, ${table.bytesOfRow}` : selected,
    }
  }
}

function formKey({ parts, withBytes }: RowForm): string {
  return `${parts} ${withBytes}`
}
