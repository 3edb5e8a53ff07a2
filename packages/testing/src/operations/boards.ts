import fc from 'fast-check'
import { oddValue, ref, some } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'

const unit = fc.oneof(
  { weight: 8, arbitrary: fc.nat(12) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0.5, Number.MAX_SAFE_INTEGER, 1e300, 'x') },
)

/** A layout, whose items may name what isn't there, or one thing twice. */
export const layout = fc.array(fc.record({ install: ref, x: unit, y: unit, w: unit, h: unit }), {
  maxLength: 3,
})

/** What is sent for the layout. */
export function toLayout(
  items: readonly { readonly install: Ref }[],
  { installs }: ScriptState,
): readonly object[] {
  return items.map(({ install, ...place }) => ({
    pluginInstallId: installs.idOf(install),
    ...place,
  }))
}

/** What a plugin keeps. */
export const storage = fc.option(
  fc.oneof(
    { weight: 6, arbitrary: some({ query: fc.constant({ limit: 1 }), note: oddValue }) },
    { weight: 1, arbitrary: oddValue },
  ),
  { nil: undefined },
)

/** What is sent of it: a query that has the Ref of a table is one of that table. */
export function toStorage(
  args: { readonly storage?: unknown },
  { tables }: ScriptState,
): { readonly storage?: unknown } {
  const { query } = (args.storage ?? {}) as { readonly query?: { readonly from?: unknown } }
  return typeof query?.from === 'number'
    ? { storage: { query: { from: tables.idOf(query.from) } } }
    : args
}

/** A plugin that ships with the product as a rule, one that a step met, or one that isn't there. */
export function toPluginId(plugin: Ref, { plugins }: ScriptState): string {
  return plugin > 1 ? 'plgchart' : plugin === 1 ? 'plgcontextexample' : plugins.idOf(plugin)
}

/** The install that is meant, and what it is on. */
export function toInstall({ installs }: ScriptState, install: Ref) {
  const found = installs.find(install)
  return { positionId: found?.positionId ?? 'unknown', pluginInstallId: found?.id ?? 'unknown' }
}

/** Takes in the installs that an answer about a board tells of. */
export function learnBoard(
  { installs }: ScriptState,
  { id: positionId, pluginMap = {} }: { readonly id: string; readonly pluginMap?: object },
): void {
  for (const id of Object.keys(pluginMap)) installs.add({ id, positionId })
}
