import { z } from 'zod'
import type { Viewer } from '../../accounts/users/shown-contact.ts'
import type { People } from '../../fields/cell.ts'
import { unknownPerson } from '../../fields/cells/user-cells.ts'
import type { FileUrls } from '../../file-urls.ts'
import type { FieldKeyType, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { Turns } from '../../use-case.ts'
import { jsonTextBytes, mostJsonBytes } from '../../values/json/json-bytes.ts'
import { noteUsers, peopleShownTo } from '../reading/find-people.ts'
import { cellOf } from '../stored/cell-of.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import { AlikeObjects } from './alike-objects.ts'
import { type FieldShown, fieldsShown } from './fields-shown.ts'
import { lengthOfCell, noteLength } from './long-outputs.ts'
import { mapInTurns } from './map-in-turns.ts'
import { atOnce, inTurns, RecordTexts } from './record-texts.ts'

/** How the values of a record are shown: as JSON, or as the text a person would read. */
export const cellFormats = ['json', 'text'] as const

/** How the values of a record are shown. */
export type CellFormat = (typeof cellFormats)[number]

/** A record as callers see it. Empty cells are left out. */
export const recordOutput = z
  .object({
    id: z.string().describe('The id of the record'),
    fields: z
      .record(z.string(), z.unknown())
      .describe(
        'The cells that are not empty, by the name of their field, or by its id or column name where `fieldKeyType` says so',
      ),
    name: z.string().optional().describe('The text of the primary field'),
    autoNumber: z.number().describe('A number that no other record of the table has or had'),
    createdTime: z.string().describe('When it was made'),
    lastModifiedTime: z
      .string()
      .describe('When it was last changed; after its creation, when that was'),
    createdBy: z.string().describe('The name of the user who made it'),
    lastModifiedBy: z.string().describe('The name of the user who changed it last'),
  })
  .meta({ id: 'Record' })

/** A record as callers see it. */
export type RecordOutput = z.output<typeof recordOutput>

/** How records are to be shown. */
export interface RecordShape extends Viewer {
  readonly fieldKeyType: FieldKeyType
  readonly cellFormat: CellFormat
  /** The keys of the fields to show, in the terms of fieldKeyType; undefined for all of them. */
  readonly projection?: ReadonlySet<string> | undefined
  /** Makes the URLs of files; files have none where it is absent. */
  readonly fileUrls?: FileUrls | undefined
}

/** The records as callers see them, in the same order. Looks people's names up once for all of them. */
export async function toRecordOutputs(
  tx: ReadTx,
  schema: TableSchema,
  records: readonly StoredRecord[],
  shape: RecordShape,
): Promise<RecordOutput[]> {
  return (await outputsOf(tx, schema, records, shape)).make(tx)
}

/** Makes outputs, and gives way to others meanwhile. Reads nothing. */
export type MakeOutputs = (turns: Turns) => Promise<RecordOutput[]>

/** How records are shown. */
export interface Outputs {
  /** Makes the outputs of the records, or of others that show the same cells and people. */
  readonly make: (turns: Turns, records?: readonly StoredRecord[]) => Promise<RecordOutput[]>
  readonly toOutput: (record: StoredRecord) => RecordOutput
  /** Makes the output of a record, in turns with all other work where it takes long: to wait for each of many records makes as much garbage as they are. */
  readonly show: (turns: Turns, record: StoredRecord) => RecordOutput | Promise<RecordOutput>
  /** The texts of the cells that are shown, in the order of their fields, '' for empty ones; in turns where they are long. */
  readonly textsOf: (
    turns: Turns,
    record: StoredRecord,
  ) => readonly string[] | Promise<readonly string[]>
  /** No less than the bytes that the output takes as JSON, without making it where its cells are shown as they are. */
  readonly mostBytesOf: (record: StoredRecord) => number
}

/** Reads what the outputs of records need beside the records themselves. */
export async function outputsOf(
  tx: ReadTx,
  schema: TableSchema,
  records: readonly StoredRecord[],
  shape: RecordShape,
): Promise<Outputs> {
  const people = await peopleIn(tx, schema, records, shape)
  const shown = fieldsShown(schema, shape)
  const toRecord = recordMaker(schema, people)
  const fieldsOf = new AlikeObjects(shown.map(({ key }) => key))
  /** Those of one record after another. */
  const values: unknown[] = new Array(shown.length).fill(undefined)
  const toJson = (record: StoredRecord): RecordOutput => {
    let length = 0
    let place = 0
    for (const { schemaField, keyBytes, toFiles } of shown) {
      const cell = cellOf(schemaField, record)
      if (cell === null) {
        values[place++] = undefined
        continue
      }
      const { rules } = schemaField
      const files = toFiles?.(cell, record.id)
      values[place++] = files ?? (rules.toJson ? rules.toJson(cell, people) : cell)
      length += keyBytes + lengthOfCell(files ?? cell)
    }
    return toRecord(record, fieldsOf.make(values), length)
  }
  const texts = new RecordTexts(shown, people)
  function* showingText(record: StoredRecord): Showing {
    const { fields, length } = yield* texts.membersOf(record)
    return toRecord(record, fields, length)
  }
  const isJson = shape.cellFormat === 'json'
  const toOutput = isJson ? toJson : (record: StoredRecord) => atOnce(showingText(record))
  const effort = shown.length * lengthPerCell[shape.cellFormat]
  const isShownOtherwise = shown.some(
    ({ schemaField: { rules }, toFiles }) => rules.toJson !== undefined || toFiles !== undefined,
  )
  /** Found when somebody asks: few writes are long enough for that. */
  let mostBeside: number | undefined
  return {
    make: (turns, these = records) =>
      isJson
        ? mapInTurns(turns, these, toJson, () => effort)
        : showEach(turns, these.map(showingText)),
    toOutput,
    textsOf: (turns, record) => texts.textsOf(turns, record),
    show: (turns, record) => (isJson ? toJson(record) : inTurns(turns, showingText(record))),
    mostBytesOf: (record) => {
      if (isShownOtherwise) return mostJsonBytes(toOutput(record))
      mostBeside ??= mostBesideCells(shown, records, people)
      const name = cellOf(schema.primary, record)
      return mostBeside + mostJsonBytes(record.cells) + (name === null ? 0 : mostJsonBytes(name))
    },
  }
}

/** Shows a user by name, also one who is gone. */
function namesOf(people: People): (userId: string) => string {
  return (userId) => people.name(userId) ?? unknownPerson
}

/** Puts an output together: the cells that are shown, and what every record has beside them. */
function recordMaker(schema: TableSchema, people: People) {
  const nameOf = namesOf(people)
  return (record: StoredRecord, fields: Record<string, unknown>, length: number) => {
    noteLength(fields, length)
    const { id, autoNumber, createdTime, lastModifiedTime } = record
    const createdBy = nameOf(record.createdBy)
    const lastModifiedBy = nameOf(record.lastModifiedBy ?? record.createdBy)
    const cell = cellOf(schema.primary, record)
    const name = cell === null ? undefined : schema.primary.rules.format(cell, people)
    // Each in one go, not put together: there are thousands of them.
    if (name === undefined) {
      return { id, fields, autoNumber, createdTime, lastModifiedTime, createdBy, lastModifiedBy }
    }
    return {
      id,
      fields,
      name,
      autoNumber,
      createdTime,
      lastModifiedTime,
      createdBy,
      lastModifiedBy,
    }
  }
}

/** The most bytes that an output of the records takes beside its cells. */
function mostBesideCells(
  shown: readonly FieldShown[],
  records: readonly StoredRecord[],
  people: People,
): number {
  let bytes = mostBytesBesideCells + 2 * longestName(records, namesOf(people))
  for (const { schemaField, keyBytes } of shown) {
    bytes += keyBytes + (schemaField.column ? separators : mostBytesOfSystemCell)
  }
  return bytes
}

type Showing = Generator<void, RecordOutput>

/** Gives way after each, too: the text of many cells takes a while, however short each is. */
async function showEach(turns: Turns, all: readonly Showing[]): Promise<RecordOutput[]> {
  const outputs: RecordOutput[] = []
  for (const showing of all) {
    outputs.push(await inTurns(turns, showing))
    await turns.giveWay()
  }
  return outputs
}

/** Characters of text that could be gone through in the time that it takes to show a cell. */
const lengthPerCell = { json: 5, text: 50 } as const

/** The bytes as JSON of the longest of the names that the records show of who made and changed them. */
function longestName(records: readonly StoredRecord[], nameOf: (userId: string) => string): number {
  const ids = new Set<string>()
  for (const { createdBy, lastModifiedBy } of records) {
    ids.add(createdBy).add(lastModifiedBy ?? createdBy)
  }
  return Math.max(0, ...Array.from(ids, (id) => jsonTextBytes(nameOf(id))))
}

/** Bytes as JSON of the id, the times and the number of a record, and of its members' own names, at most. */
const mostBytesBesideCells = 300

/** A colon and a comma: the cells are counted by themselves. */
const separators = 2

/** Most bytes of a time or number that a field shows of its record, with its separators. */
const mostBytesOfSystemCell = 40

async function peopleIn(
  tx: ReadTx,
  schema: TableSchema,
  records: readonly StoredRecord[],
  viewer: Viewer,
): Promise<People> {
  const ids = new Set<string>()
  for (const { createdBy, lastModifiedBy } of records) {
    // Empty where records were read for their cells alone.
    if (createdBy !== '') ids.add(createdBy)
    if (lastModifiedBy !== null) ids.add(lastModifiedBy)
  }
  for (const schemaField of schema.columns) noteUsers(schemaField, records, ids)
  return peopleShownTo(viewer, await tx.users.profilesOf([...ids]))
}
