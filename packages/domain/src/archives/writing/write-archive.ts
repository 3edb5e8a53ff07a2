import { limits } from '../../limits.ts'
import { type headerSchema, versionFor } from '../format/archive-line.ts'
import { weighLine } from '../format/archive-weight.ts'
import { ArchiveWriter } from '../format/archive-writer.ts'
import {
  type ArchiveSource,
  changedMeanwhile,
  requireAsWritten,
  type WrittenTable,
} from './archive-source.ts'
import type { ArchivedTables } from './archived-fields.ts'
import { FilesOfArchive } from './files-of-archive.ts'
import { tooManySettings } from './settings-room.ts'
import { settingsToWrite, toWritten } from './settings-to-write.ts'
import { linesOfHistory } from './write-history.ts'
import { linesOfLinks, linesOfOrder, linesOfRecords } from './write-records.ts'
import { linesOfNodes, linesOfTable } from './write-settings.ts'

/**
 * The text of an archive, in parts. Each is read on a snapshot of its own, so that a slow reader holds nothing up. Fails
 * with `conflict` where tables or fields are changed meanwhile, and with `validation_error` where the settings of the base,
 * or what lies in its trash, are more than an archive holds.
 */
export async function* writeArchive(source: ArchiveSource): AsyncGenerator<string> {
  const { includeData, includeHistory, includeTrash } = source
  const writer = new ArchiveWriter(source.secrets.digester())
  const settings = await settingsToWrite(source)
  const { id, name, icon } = settings.base
  const searchIndexes = settings.tables.some(({ table }) => table.searchIndex !== null)
  const version = versionFor({ trash: includeTrash, searchIndexes })
  const header = { gateleg: 'base', version, id, name, icon } as const
  yield writer.line(header satisfies typeof headerSchema._output)
  // Readers weigh them too.
  let weight = 0
  const weighed = (lines: string) => {
    weight += weightOf(lines)
    if (weight > limits.archiveSettingsWeight) throw tooManySettings()
    return lines
  }
  yield weighed(linesOfNodes(writer, settings))
  const tables: ArchivedTables = new Set(settings.tables.map(({ table }) => table.id))
  for (const table of settings.tables) {
    yield weighed(linesOfTable(writer, table, { ...settings, ...source, tables }))
  }
  const written = settings.tables.map((table) => toWritten(table, settings.left))
  if (includeData) {
    const files = new FilesOfArchive(source, writer)
    for (const table of written) yield* linesOfRecords(source, writer, { table, tables, files })
    yield* linesOfLinks(source, writer, written, tables)
    for (const table of written) yield* linesOfOrder(source, writer, table)
    if (includeHistory) {
      for (const table of written) yield* linesOfHistory(source, writer, { table, tables })
    }
  }
  await requireUnchanged(source, written)
  yield writer.end()
}

/** Fields must be at the end what they were at the beginning: records were read by them. */
async function requireUnchanged(
  source: ArchiveSource,
  written: readonly WrittenTable[],
): Promise<void> {
  await source.read(async (tx, base) => {
    const living = written.filter(({ deletion }) => deletion === undefined)
    if ((await tx.tables.listOf(base.id)).length !== living.length) throw changedMeanwhile()
    for (const one of written) await requireAsWritten(source, tx, one)
  })
}

function weightOf(lines: string): number {
  let weight = 0
  for (const line of lines.split('\n')) {
    const ofLine = weighLine(line)
    if (typeof ofLine === 'string') throw tooManySettings()
    weight += ofLine
  }
  return weight
}
