import { del, type FeatureRoutes, get, patch, post, put } from '../operation.ts'

const one = '/plugin/{pluginId}'
const forAdmins = '/admin/plugin/{pluginId}' as const

const settings = {
  name: 'Loan slips',
  description: 'Prints a slip for each loan',
  logo: 'https://plugins.example.com/slips/logo.png',
  url: 'https://plugins.example.com/slips',
  positions: ['contextMenu', 'panel'],
} satisfies FeatureRoutes<'plugins'>['createPlugin']['example']

export const pluginRoutes: FeatureRoutes<'plugins'> = {
  createPlugin: {
    ...post('/plugin'),
    isVersioned: true,
    purpose:
      'Registers a plugin: a web page that people can add to their bases. Only the caller can install it until it is published. Only this answer shows its secret.',
    example: { ...settings, i18n: { de: { name: 'Leihzettel' } } },
  },
  listPlugins: {
    ...get('/plugin'),
    purpose: 'Lists the plugins that the caller registered, oldest first.',
    example: {},
  },
  listInstallablePlugins: {
    ...get('/plugin/center/list'),
    purpose:
      "Lists the plugins that the caller may install: those that ship with the product, published ones, and the caller's own.",
    example: { positions: ['contextMenu'] },
  },
  getPlugin: {
    ...get(one),
    isVersioned: true,
    purpose:
      'Returns a plugin, with its secret masked: to its maker and, once it was submitted, to the administrator of the instance.',
    example: { pluginId: '{pluginId}' },
  },
  updatePlugin: {
    ...put(one),
    isVersioned: true,
    purpose:
      'Replaces all settings of a plugin; what is left out is unset. A published plugin whose `url` changes is reviewed again.',
    example: { pluginId: '{pluginId}', ...settings, name: 'Slips' },
  },
  deletePlugin: {
    ...del(one),
    purpose:
      'Deletes a plugin for good. Where it was installed, its name and what it stores there stay.',
    example: { pluginId: '{pluginId}' },
  },
  regeneratePluginSecret: {
    ...post(`${one}/regenerate-secret`),
    isVersioned: true,
    purpose:
      'Gives a plugin a new secret, which only this answer shows. The old one stops working.',
    example: { pluginId: '{pluginId}' },
  },
  submitPlugin: {
    ...patch(`${one}/submit`),
    purpose: 'Submits a plugin for review by the administrator of the instance.',
    example: { pluginId: '{pluginId}' },
  },
  unpublishPlugin: {
    ...patch(`${one}/unpublish`),
    purpose:
      'Withdraws a plugin that was submitted or published, so that only its maker may install it.',
    example: { pluginId: '{submittedPluginId}' },
  },
  publishPlugin: {
    ...patch(`${forAdmins}/publish`),
    purpose: 'Approves a submitted plugin: it is published, and everybody may install it.',
    example: { pluginId: '{submittedPluginId}' },
  },
  withdrawPlugin: {
    ...patch(`${forAdmins}/unpublish`),
    purpose:
      'Hands a submitted or published plugin back to its maker, so that nobody else may install it.',
    example: { pluginId: '{submittedPluginId}' },
  },
}
