import fc from 'fast-check'
import { ref } from '../scripts/arguments.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

/** Files as scripts send them: some name fields of their tables, and some are broken. */
const content = fc.constantFrom(
  'singleLineText,number,checkbox\nx,1,true\ny,z,\n',
  'Title\n"a ""b"""\n\nc\n',
  'key,date,singleSelect\nk1,2026-01-01,a\nk1,2026-02-30,new\n',
  'a;b\n1;2\n3;4;5\n',
  '"unclosed\n',
  '',
)

const learn = (known: ScriptState, { id, baseId }: { id: string; baseId: string }) =>
  known.imports.add({ id, baseId })

export const importOperations: ScriptedFeature<'imports'> = {
  analyzeFile: scripted({ weight: 0.5, args: fc.record({ content }) }),
  importTable: scripted({
    weight: 0.5,
    args: fc.record({ base: ref, content, partial: fc.boolean() }),
    toInput: ({ base, ...rest }, known) => ({ baseId: known.bases.idOf(base), ...rest }),
    learn,
  }),
  importRecords: scripted({
    weight: 2,
    args: fc.record({ base: ref, table: ref, content, partial: fc.boolean() }),
    toInput: ({ base, table, ...rest }, known) => ({
      baseId: known.tables.find(table)?.baseId ?? known.bases.idOf(base),
      tableId: known.tables.idOf(table),
      ...rest,
    }),
    learn,
  }),
  getImport: scripted({
    weight: 2,
    args: fc.record({ base: ref, one: ref }),
    toInput: ({ base, one }, known) => {
      const found = known.imports.find(one)
      return { baseId: found?.baseId ?? known.bases.idOf(base), importId: found?.id ?? 'unknown' }
    },
  }),
}

export const importSamples: SamplesIn<'imports'> = ({ baseId, tableId, importId }) => ({
  analyzeFile: { input: { content: 'Name\nx\n' } },
  importTable: { input: { baseId, content: 'Name\nx\n' } },
  importRecords: { input: { baseId, tableId, content: 'Name\nx\n' } },
  getImport: { input: { baseId, importId } },
})
