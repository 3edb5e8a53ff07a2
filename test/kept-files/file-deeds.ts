import type { Api } from '@gateleg/domain/api'
import { sweepBlobs } from '@gateleg/domain/attachments/unused/sweep-blobs'
import type { ShownFile } from '@gateleg/testing/worlds/place'
import type { TableWorld } from '@gateleg/testing/worlds/table-world'
import fc from 'fast-check'
import type { ClockedBlobStore } from './clocked-blob-store.ts'

const hourMs = 3_600_000

const momentMs = 1_000

/** Hours between two looks of the background. */
const stepHours = 12

/** Most of each that there are at a time: a world stays small, so that deeds meet. */
const most = { bases: 4, tables: 4, records: 8, loose: 20, seen: 20 }

const whats = [
  ...['upload', 'upload', 'upload', 'uploadApart', 'insertLoose', 'breakOff', 'insert', 'replace'],
  ...['empty', 'addRecord', 'copyRecord', 'removeRecord', 'removeField', 'removeTable'],
  ...['copyTable', 'copyBase', 'archive', 'removeBase', 'restore', 'restore', 'purge', 'purgeOne'],
  ...['purgeTable', 'purgeBase', 'wait'],
] as const

/** Something done with files, or with what has them: places and contents are counted, and begin again at the end. */
export interface FileDeed {
  readonly what: (typeof whats)[number]
  readonly place: number
  readonly other: number
}

export const fileDeed: fc.Arbitrary<FileDeed> = fc.record({
  what: fc.constantFrom(...whats),
  place: fc.nat(999),
  other: fc.nat(40),
})

interface FileCell {
  readonly recordId: string
  readonly files: readonly ShownFile[]
}
interface FileTable {
  readonly baseId: string
  readonly id: string
  readonly fieldId: string
}

/** Deeds after which the same tables have fields of files. */
const keepTables: ReadonlySet<FileDeed['what']> = new Set([
  ...(['upload', 'uploadApart', 'insertLoose', 'breakOff', 'insert', 'replace', 'empty'] as const),
  ...(['addRecord', 'copyRecord', 'removeRecord', 'wait'] as const),
])

/** Does deeds in the bases of one person. */
export class FileDoer {
  /** Deeds that were done, others left out: there was nothing to do them with, or they were refused. */
  done = 0
  readonly #world: TableWorld
  readonly #api: Api
  readonly #blobs: ClockedBlobStore
  /** Tokens of files that were uploaded by themselves. */
  #loose: string[] = []
  /** Tokens of files that cells had when they were looked at last, in whichever base. */
  #seen: string[] = []
  /** The tables that have a field of files, as long as nothing has changed which these are. */
  #known: readonly FileTable[] | undefined

  constructor(world: TableWorld, blobs: ClockedBlobStore) {
    this.#world = world
    this.#api = world.api
    this.#blobs = blobs
  }

  async do(deed: FileDeed): Promise<void> {
    try {
      if ((await this.#do(deed)) !== 'nothing') this.done++
    } catch (error) {
      // Others do what was in the way: a token is forgotten, a table is deleted with its base.
      if ((error as { code?: string }).code === undefined) throw error
    } finally {
      if (!keepTables.has(deed.what)) this.#known = undefined
    }
  }

  /** The paths of all files that living cells have. */
  async paths(): Promise<ReadonlySet<string>> {
    const cells = await Promise.all((await this.#tables()).map((table) => this.#cellsOf(table)))
    return new Set(cells.flat().flatMap(({ files }) => files.map(({ path }) => path)))
  }

  /** So many hours go by, in which the background does its work, and bytes are swept at the end. */
  async wait(hours: number): Promise<void> {
    const { clock, engine } = this.#world
    for (let gone = 0; gone < hours; gone += stepHours) {
      // A moment more: what is due a day after something is not met at the very end of that day.
      clock.advance(Math.min(stepHours, hours - gone) * hourMs + momentMs)
      await this.#world.runJobs()
    }
    await sweepBlobs({ store: engine.store, blobs: this.#blobs, clock })
  }

  /** Restores what is in the trash as far as it can be, and purges the rest; or purges all of it. */
  async emptyTrash(isRestored: boolean): Promise<void> {
    this.#known = undefined
    for (let found = isRestored; found; ) {
      found = false
      for (const trashId of await this.#trash()) {
        found = (await succeeds(this.#api.trash.restoreTrash({ trashId }))) || found
      }
    }
    for (const trashId of await this.#trash()) {
      await succeeds(this.#api.trash.purgeTrashEntry({ trashId }))
    }
  }

  /** Deletes every base for good. */
  async clear(): Promise<void> {
    for (const baseId of await this.#bases())
      await this.#api.bases.deleteBasePermanently({ baseId })
    await this.emptyTrash(false)
    this.#loose = []
    this.#seen = []
  }

  async #do({ what, place, other }: FileDeed): Promise<unknown> {
    if (what === 'wait') return this.wait(3 * other)
    if (what === 'restore') return this.#restore(place)
    if (what === 'purgeOne') return this.#purgeOne(place)
    const tables = await this.#tables()
    const table = tables[place % Math.max(1, tables.length)]
    if (!table) return this.#makeTable(place)
    const ofBase = tables.filter(({ baseId }) => baseId === table.baseId)
    switch (what) {
      case 'copyTable':
        return ofBase.length < most.tables ? this.#copyTable(table) : 'nothing'
      case 'removeTable':
        return this.#api.tables.deleteTable({ baseId: table.baseId, tableId: table.id })
      case 'purgeTable': {
        const { baseId, id: tableId } = table
        return other % 3 > 0
          ? 'nothing'
          : this.#api.tables.deleteTablePermanently({ baseId, tableId })
      }
      case 'removeField':
        return this.#api.fields.deleteField({ tableId: table.id, fieldId: table.fieldId })
      case 'purge': {
        const of = { resourceId: table.baseId, resourceType: 'base' as const }
        const ofTable = { resourceId: table.id, resourceType: 'table' as const }
        return this.#api.trash.resetTrash(other % 2 === 0 ? of : ofTable)
      }
      case 'copyBase':
      case 'archive':
      case 'removeBase':
      case 'purgeBase':
        return this.#doWithBase(what, table.baseId, other)
      default:
        return this.#doWithCells({ what, place, other }, table)
    }
  }

  async #doWithCells({ what, place, other }: FileDeed, table: FileTable): Promise<unknown> {
    const { attachments, records } = this.#api
    const { id: tableId, fieldId } = table
    const cells = await this.#cellsOf(table)
    const found = cells.flatMap(({ files }) => files.map(({ token }) => token))
    this.#seen = [...new Set([...found, ...this.#seen])].slice(0, most.seen)
    const cell = cells[other % Math.max(1, cells.length)]
    if (!cell || (what === 'addRecord' && cells.length < most.records)) {
      return records.createRecords({ tableId, records: [{ fields: {} }] })
    }
    const { recordId } = cell
    const at = { tableId, recordId, fieldId }
    const token = this.#seen[place % Math.max(1, this.#seen.length)] ?? ''
    const change = (value: unknown) =>
      records.updateRecord({ ...at, fieldKeyType: 'id', record: { fields: { [fieldId]: value } } })
    switch (what) {
      case 'upload':
        return attachments.uploadAttachment({ ...at, file: fileOf(`text ${other}`) })
      case 'breakOff':
        return attachments.uploadAttachment({ ...at, file: fileOf(`text ${other}`, true) })
      case 'uploadApart':
        return this.#uploadApart(table.baseId, `text ${other}`)
      case 'insertLoose': {
        const loose = this.#loose[place % Math.max(1, this.#loose.length)] ?? ''
        return attachments.insertAttachment({ ...at, attachments: [{ name: 'b', token: loose }] })
      }
      case 'insert':
        return attachments.insertAttachment({ ...at, attachments: [{ name: 'c', token }] })
      case 'replace':
        return change([{ name: 'd', token }])
      case 'empty':
        return change(null)
      case 'copyRecord':
        if (cells.length >= most.records) return 'nothing'
        return records.duplicateRecord({ tableId, recordId })
      case 'removeRecord':
        return records.deleteRecords({ tableId, recordIds: [recordId] })
      default:
        return 'nothing'
    }
  }

  async #doWithBase(
    what: 'copyBase' | 'archive' | 'removeBase' | 'purgeBase',
    baseId: string,
    other: number,
  ): Promise<unknown> {
    const { bases, archives } = this.#api
    const count = (await this.#bases()).length
    if (what === 'removeBase') return bases.deleteBase({ baseId })
    if (what === 'purgeBase')
      return other % 3 > 0 ? 'nothing' : bases.deleteBasePermanently({ baseId })
    if (count >= most.bases) return 'nothing'
    const spaces = await this.#api.spaces.listSpaces({})
    const spaceId = spaces[other % spaces.length]?.id ?? ''
    if (what === 'copyBase') {
      return bases.duplicateBase({ fromBaseId: baseId, spaceId, withRecords: true })
    }
    let content = ''
    for await (const part of await archives.exportBase({ baseId })) content += part
    return archives.importBase({ spaceId, content })
  }

  async #uploadApart(baseId: string, text: string): Promise<unknown> {
    const { attachments } = this.#api
    const contentType = 'text/plain'
    const asked = { baseId, type: 1, contentType, contentLength: text.length } as const
    const { token } = await attachments.requestUpload(asked)
    this.#loose = [token, ...this.#loose].slice(0, most.loose)
    return attachments.uploadContent({ token, contentType, content: text })
  }

  async #makeTable(place: number): Promise<unknown> {
    const [known] = await this.#bases()
    const [space] = await this.#api.spaces.listSpaces({})
    const spaceId = space?.id ?? ''
    const baseId = known ?? (await this.#api.bases.createBase({ spaceId })).id
    const fields = [
      { type: 'singleLineText' as const, name: 'Name' },
      { type: 'attachment' as const, name: 'Files' },
    ]
    const records = Array.from({ length: 1 + (place % 3) }, () => ({ fields: {} }))
    return this.#api.tables.createTable({ baseId, fields, records })
  }

  async #copyTable({ baseId, id }: FileTable): Promise<unknown> {
    const nodes = await this.#api.tree.listNodes({ baseId })
    const nodeId = nodes.find(({ resourceId }) => resourceId === id)?.id ?? ''
    return this.#api.tree.duplicateNode({ baseId, nodeId, includeRecords: true })
  }

  async #restore(place: number): Promise<unknown> {
    const all = await this.#trash()
    const trashId = all[place % Math.max(1, all.length)]
    return trashId === undefined ? 'nothing' : this.#api.trash.restoreTrash({ trashId })
  }

  async #purgeOne(place: number): Promise<unknown> {
    const all = await this.#trash()
    const trashId = all[place % Math.max(1, all.length)]
    return trashId === undefined ? 'nothing' : this.#api.trash.purgeTrashEntry({ trashId })
  }

  /** The entries of the trash, of bases, and of what lies in living ones. */
  async #trash(): Promise<readonly string[]> {
    const { trash, tables } = this.#api
    const found = await allPages((at) => trash.listTrash({ resourceType: 'base', ...at }))
    for (const baseId of await this.#bases()) {
      const ofBase = { resourceId: baseId, resourceType: 'base' as const }
      found.push(...(await allPages((at) => trash.listTrashItems({ ...ofBase, ...at }))))
      for (const { id } of await tables.listTables({ baseId })) {
        const ofTable = { resourceId: id, resourceType: 'table' as const }
        found.push(...(await allPages((at) => trash.listTrashItems({ ...ofTable, ...at }))))
      }
    }
    return found
  }

  async #bases(): Promise<readonly string[]> {
    return (await this.#api.bases.listAllBases({})).map(({ id }) => id)
  }

  /** The tables that have a field of files. */
  async #tables(): Promise<readonly FileTable[]> {
    if (this.#known) return this.#known
    const baseIds = await this.#bases()
    const found = await this.#world.engine.store.read((tx) =>
      Promise.all(
        baseIds.map(async (baseId) => {
          const schemas = (await tx.tables.listOf(baseId)).map((table) => tx.fields.schemaOf(table))
          return (await Promise.all(schemas)).flatMap(({ tableId: id, fields }) => {
            const files = fields.find(({ field }) => field.type === 'attachment')
            return files ? [{ baseId, id, fieldId: files.field.id }] : []
          })
        }),
      ),
    )
    this.#known = found.flat()
    return this.#known
  }

  async #cellsOf({ id: tableId, fieldId }: FileTable): Promise<readonly FileCell[]> {
    const input = { tableId, take: 1_000, fieldKeyType: 'id' as const }
    const { records } = await this.#api.records.listRecords(input)
    return records.map((one) => ({
      recordId: one.id,
      files: (one.fields[fieldId] ?? []) as readonly ShownFile[],
    }))
  }
}

interface TrashPage {
  readonly trashItems: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

/** The ids of the entries of all pages of a trash. */
async function allPages(
  list: (at: { readonly cursor?: string }) => Promise<TrashPage>,
): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await list(cursor ? { cursor } : {})
    found.push(...page.trashItems.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return found
}

function fileOf(text: string, breaksOff = false) {
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text)
    if (breaksOff) throw Object.assign(new Error('the line was cut'), { code: 'cut' })
  }
  return { name: text, stream }
}

async function succeeds(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if ((error as { code?: string }).code === undefined) throw error
    return false
  }
}
