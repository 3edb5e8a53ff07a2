import fc from 'fast-check'
import { name, oddValue, position, ref, some } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import type { SamplesIn } from './operation-sample.ts'

/** An entry and its table. */
function toEntry({ entry }: { readonly entry: Ref }, { menuEntries, tables }: ScriptState) {
  const found = menuEntries.find(entry)
  return {
    tableId: found?.tableId ?? tables.idOf(0),
    pluginInstallId: found?.id ?? 'unknown',
  }
}

const one = fc.record({ entry: ref })

const pluginId = fc.oneof(
  { weight: 9, arbitrary: fc.constant('plgcontextexample') },
  { weight: 1, arbitrary: fc.constantFrom('plgchart', 'plgNone') },
)

export const contextMenuOperations: ScriptedFeature<'contextMenus'> = {
  installInContextMenu: scripted({
    weight: 2,
    args: fc.record({ table: ref, pluginId, name }, { requiredKeys: ['table', 'pluginId'] }),
    toInput: ({ table, ...rest }, { tables }) => ({ tableId: tables.idOf(table), ...rest }),
    learn: ({ menuEntries }, answer: { readonly pluginInstallId: string }, { tableId }) =>
      menuEntries.add({ id: answer.pluginInstallId, tableId: String(tableId) }),
  }),
  listContextMenu: scripted({
    weight: 1,
    args: fc.record({ table: ref }),
    toInput: ({ table }, { tables }) => ({ tableId: tables.idOf(table) }),
    learn: ({ menuEntries }, listed: readonly { pluginInstallId: string }[], { tableId }) => {
      for (const { pluginInstallId: id } of listed)
        menuEntries.add({ id, tableId: String(tableId) })
    },
  }),
  getContextMenuEntry: scripted({ weight: 1, args: one, toInput: toEntry }),
  renameContextMenuEntry: scripted({
    weight: 0.7,
    args: fc.record({ entry: ref, name }),
    toInput: ({ name, ...args }, known) => ({ ...toEntry(args, known), name }),
  }),
  moveContextMenuEntry: scripted({
    weight: 1,
    args: fc.record({ entry: ref, anchor: ref, position }),
    toInput: ({ entry, anchor, position }, known) => ({
      ...toEntry({ entry }, known),
      anchorId: known.menuEntries.idOf(anchor),
      position,
    }),
  }),
  setContextMenuStorage: scripted({
    weight: 0.7,
    args: fc.record(
      { entry: ref, storage: fc.oneof(some({ query: oddValue }), oddValue) },
      { requiredKeys: ['entry'] },
    ),
    toInput: ({ entry, ...rest }, known) => ({ ...toEntry({ entry }, known), ...rest }),
  }),
  getContextMenuStorage: scripted({ weight: 0.7, args: one, toInput: toEntry }),
  removeFromContextMenu: scripted({
    weight: 0.5,
    args: one,
    toInput: toEntry,
    learn: ({ menuEntries }, _answer, { pluginInstallId }) =>
      menuEntries.drop(String(pluginInstallId)),
  }),
}

export const contextMenuSamples: SamplesIn<'contextMenus'> = ({
  tableId,
  menuInstallId,
  otherMenuInstallId,
}) => {
  const entry = { tableId, pluginInstallId: menuInstallId }
  return {
    installInContextMenu: { input: { tableId, pluginId: 'plgcontextexample' } },
    listContextMenu: { input: { tableId } },
    getContextMenuEntry: { input: entry },
    renameContextMenuEntry: { input: { ...entry, name: 'Renamed' } },
    moveContextMenuEntry: {
      input: { ...entry, anchorId: otherMenuInstallId, position: 'after' },
    },
    setContextMenuStorage: { input: { ...entry, storage: { kept: true } } },
    getContextMenuStorage: { input: entry },
    removeFromContextMenu: { input: entry },
  }
}
