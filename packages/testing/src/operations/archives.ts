import { sha256 } from '@gateleg/domain/values/bytes/sha256'
import fc from 'fast-check'
import { name, ref } from '../scripts/arguments.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

/** An archive of the lines, with the end that belongs to them. */
export function archiveOf(lines: readonly unknown[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return `${text}${JSON.stringify({ end: { lines: lines.length, sha256: sha256(text) } })}\n`
}

const made = { createdBy: 'usr1', createdTime: '2026-01-01T00:00:00.000Z' }
const id = (prefix: string, number: number) => `${prefix}${String(number).padStart(16, '0')}`

/** The first line of an archive of version 1. */
export const archiveHead = { gateleg: 'base', version: 1, name: 'Archive', icon: null }

/** What the archive of a base with a table of one record has, without the record. */
export const archivedTable = [
  archiveHead,
  {
    table: {
      ...{ id: id('tbl', 1), name: 'Books', folder: null, dbTableName: 'Books' },
      ...{ description: null, icon: null, ...made, lastModifiedTime: made.createdTime },
    },
  },
  {
    field: {
      ...{ id: id('fld', 1), table: id('tbl', 1), name: 'Title', type: 'singleLineText' },
      ...{ description: null, options: {}, isPrimary: true, ...made },
      ...{ dbFieldName: 'Title', columnName: 'Title' },
    },
  },
  {
    view: {
      ...{ id: id('viw', 1), table: id('tbl', 1), name: 'All', type: 'grid', description: null },
      ...{ options: {}, filter: null, sort: null, group: null, columnMeta: {}, isLocked: false },
      ...{ ...made, lastModifiedBy: null, lastModifiedTime: null },
    },
  },
]

/** The records of that table, as an archive has them. */
export const archivedRecords = [
  { records: { table: id('tbl', 1), fields: [id('fld', 1)] } },
  [id('rec', 1), 7, made.createdTime, made.createdTime, 'usr1', null, 'Emma'],
]

const whole = archiveOf([...archivedTable, ...archivedRecords])

/** Archives as scripts send them, of version 1, which don't say all ids: some are cut, changed, or none at all. */
const content = fc.constantFrom(
  whole,
  whole,
  archiveOf([archiveHead]),
  archiveOf([...archivedTable, archivedTable[1]]),
  whole.slice(0, -20),
  whole.replace('Emma', 'Anna'),
  'Title\nEmma\n',
  '',
)

export const archiveOperations: ScriptedFeature<'archives'> = {
  exportBase: scripted({
    weight: 1,
    args: fc.record(
      {
        base: ref,
        includeData: fc.boolean(),
        includeHistory: fc.boolean(),
        includeTrash: fc.boolean(),
      },
      { requiredKeys: ['base'] },
    ),
    toInput: ({ base, ...rest }, { bases }) => ({ baseId: bases.idOf(base), ...rest }),
  }),
  importBase: scripted({
    weight: 1,
    args: fc.record(
      { space: ref, name, sameIds: fc.boolean(), content },
      { requiredKeys: ['space', 'content'] },
    ),
    toInput: ({ space, ...rest }, { spaces }) => ({ spaceId: spaces.idOf(space), ...rest }),
    learn: (known, { id, spaceId }: { readonly id: string; readonly spaceId: string }) =>
      known.bases.add({ id, spaceId }),
  }),
}

export const archiveSamples: SamplesIn<'archives'> = ({ spaceId, baseId }) => ({
  exportBase: { input: { baseId } },
  importBase: { input: { spaceId, content: archiveOf([archiveHead]) } },
})
