import type { User } from '@gateleg/domain/accounts/users/user'
import type { Base } from '@gateleg/domain/bases/base'
import type { Cell } from '@gateleg/domain/fields/cell'
import type { Field } from '@gateleg/domain/fields/field'
import type { FieldTypeName } from '@gateleg/domain/fields/field-type-name'
import { typeOf } from '@gateleg/domain/fields/field-values'
import type { NewRecord, StoredRecord } from '@gateleg/domain/records/stored/stored-record'
import type { Table } from '@gateleg/domain/tables/table'

/** A user with all members set, `usr1` and so on. */
export function newUser(number: number, settings: Partial<User> = {}): User {
  return {
    id: `usr${number}`,
    name: `Ada ${number}`,
    email: `ada${number}@example.com`,
    isEmailVerified: false,
    passwordHash: undefined,
    isAdmin: false,
    avatar: undefined,
    phone: undefined,
    lang: undefined,
    signsIn: true,
    notifyByEmail: true,
    refMeta: { query: 'utm=1' },
    createdTime: '2026-01-01T00:00:00.000Z',
    deletedTime: undefined,
    version: 1,
    ...settings,
  }
}

const moment = '2026-01-01T00:00:00.000Z'

/** A base, `bse` and a number. Its id is that of a physical schema: give each one of a test another. */
export function newBase(id: string): Base {
  return {
    id,
    spaceId: 'spc1',
    name: 'Base',
    icon: null,
    order: 1,
    createdBy: 'usr1',
    createdTime: moment,
    lastModifiedTime: moment,
    version: 1,
  }
}

/** A table of the base. */
export function newTable(baseId: string): Table {
  return {
    id: `tbl${baseId.slice(3)}`,
    baseId,
    name: 'Things',
    dbTableName: 'Things',
    rebuiltName: null,
    description: null,
    icon: null,
    version: 1,
    schemaTag: `tag${baseId}`,
    searchIndex: null,
    createdBy: 'usr1',
    createdTime: moment,
    lastModifiedTime: moment,
  }
}

/** The n-th field of a table, of the type; its column is called `col` and its number, the first is primary. */
export function newField(
  table: Table,
  number: number,
  type: FieldTypeName,
  settings: Partial<Field> = {},
): Field {
  return {
    id: `fld${table.id.slice(3)}${number}`,
    tableId: table.id,
    name: `Field ${number}`,
    type,
    description: null,
    options: settings.options ?? typeOf({ type }).options.parse({}),
    isPrimary: number === 1,
    unique: false,
    notNull: false,
    aiConfig: null,
    isLookup: false,
    lookupOptions: null,
    result: null,
    hasError: false,
    isPending: false,
    dbFieldName: `col${number}`,
    columnName: `col${number}`,
    order: number,
    createdBy: 'usr1',
    createdTime: moment,
    version: 1,
    ...settings,
  }
}

/** Who makes records in tests, and when. */
export const maker = { userId: 'usr1', time: moment }

/** A record that is about to be made. */
export function newRecord(id: string, cells: readonly (Cell | null)[]): NewRecord {
  return { id, cells }
}

/** A record as it is once it was made and got the number. */
export function madeRecord(
  id: string,
  autoNumber: number,
  cells: readonly (Cell | null)[],
): StoredRecord {
  const { userId, time } = maker
  return {
    ...{ id, autoNumber, cells, version: 1 },
    ...{ createdTime: time, lastModifiedTime: time, createdBy: userId, lastModifiedBy: null },
  }
}
