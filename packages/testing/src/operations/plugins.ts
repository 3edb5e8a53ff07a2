import fc from 'fast-check'
import { description, name, oddValue, ref, some } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'

const position = fc.constantFrom('dashboard', 'view', 'contextMenu', 'panel')
const url = fc.constantFrom(
  ...['https://p.example/x', 'http://localhost:3002', 'javascript:alert(1)', 'p.example'],
)

const settings = fc.record(
  {
    name: fc.oneof(fc.constantFrom('Slips', 'Maps', ' Plans '), name),
    description,
    detailDesc: description,
    logo: fc.oneof({ weight: 8, arbitrary: fc.constant('https://p.example/logo.png') }, url),
    url: fc.option(url, { nil: null }),
    helpUrl: fc.option(url, { nil: null }),
    positions: fc.oneof(
      { weight: 9, arbitrary: fc.array(position, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: oddValue },
    ),
    config: fc.option(fc.dictionary(fc.constantFrom('a', 'b'), oddValue), { nil: null }),
    i18n: fc.option(fc.dictionary(fc.constantFrom('en', 'zh-Hant', '!'), some({ name })), {
      nil: null,
    }),
  },
  { requiredKeys: ['name', 'logo', 'positions'] },
)

/** A plugin that was met, or one that ships with the product. */
function idOf(plugin: Ref, { plugins }: ScriptState): string {
  return plugin === -3 ? 'plgchart' : plugins.idOf(plugin)
}

/** An operation that is told the plugin alone. */
function onPlugin(weight: number, learn?: (known: ScriptState, pluginId: string) => void) {
  return scripted({
    weight,
    args: fc.record({ plugin: ref }),
    toInput: ({ plugin }, known) => ({ pluginId: idOf(plugin, known) }),
    learn: (known, _answer, { pluginId }) => learn?.(known, String(pluginId)),
  })
}

export const pluginOperations: ScriptedFeature<'plugins'> = {
  createPlugin: scripted({
    weight: 2,
    args: settings,
    learn: ({ plugins }, { id, secret }: { readonly id: string; readonly secret: string }) =>
      plugins.add({ id, secret }),
  }),
  listPlugins: scripted({ weight: 0.5, args: fc.constant({}) }),
  listInstallablePlugins: scripted({
    weight: 1,
    args: some({ positions: fc.array(position, { maxLength: 2 }), plugins: fc.array(ref) }),
    toInput: ({ plugins, ...rest }: { readonly plugins?: readonly Ref[] }, known) => ({
      ...rest,
      ...(plugins && { ids: plugins.map((plugin) => idOf(plugin, known)) }),
    }),
  }),
  getPlugin: onPlugin(1),
  updatePlugin: scripted({
    weight: 1,
    args: fc.record({ plugin: ref, settings }),
    toInput: ({ plugin, settings }, known) => ({ ...settings, pluginId: idOf(plugin, known) }),
  }),
  deletePlugin: onPlugin(0.5, ({ plugins }, pluginId) => plugins.drop(pluginId)),
  regeneratePluginSecret: scripted({
    weight: 0.5,
    args: fc.record({ plugin: ref }),
    toInput: ({ plugin }, known) => ({ pluginId: idOf(plugin, known) }),
    learn: ({ plugins }, { id, secret }: { readonly id: string; readonly secret: string }) =>
      plugins.add({ id, secret }),
  }),
  submitPlugin: onPlugin(1.5),
  unpublishPlugin: onPlugin(0.5),
  publishPlugin: onPlugin(1.5),
  withdrawPlugin: onPlugin(0.3),
}
