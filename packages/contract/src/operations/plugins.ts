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
      'Registers a plugin: a page of yours that people put into their bases. You alone may install it until it is published. Its secret is shown in this answer alone.',
    example: { ...settings, i18n: { de: { name: 'Leihzettel' } } },
  },
  listPlugins: {
    ...get('/plugin'),
    purpose: 'Lists the plugins that the caller made, oldest first.',
    example: {},
  },
  listInstallablePlugins: {
    ...get('/plugin/center/list'),
    purpose:
      'Lists what the caller may install: what ships with the product, what is published, and their own.',
    example: { positions: ['contextMenu'] },
  },
  getPlugin: {
    ...get(one),
    isVersioned: true,
    purpose:
      'Answers a plugin to who made it, its secret masked; and to administrators of the instance once it was handed in.',
    example: { pluginId: '{pluginId}' },
  },
  updatePlugin: {
    ...put(one),
    isVersioned: true,
    purpose:
      'Replaces all that a plugin says of itself; what is left out is unset. A published plugin whose `url` changes is reviewed again.',
    example: { pluginId: '{pluginId}', ...settings, name: 'Slips' },
  },
  deletePlugin: {
    ...del(one),
    purpose:
      'Removes a plugin from the registry, for good. Where it was installed, its name and what it keeps there stay.',
    example: { pluginId: '{pluginId}' },
  },
  regeneratePluginSecret: {
    ...post(`${one}/regenerate-secret`),
    isVersioned: true,
    purpose:
      'Gives a plugin a new secret, which is shown in this answer alone. The old one is good for nothing any more.',
    example: { pluginId: '{pluginId}' },
  },
  submitPlugin: {
    ...patch(`${one}/submit`),
    purpose: 'Hands a plugin in: an administrator of the instance is to look at it.',
    example: { pluginId: '{pluginId}' },
  },
  unpublishPlugin: {
    ...patch(`${one}/unpublish`),
    purpose: 'Takes a plugin back that was handed in or published; its maker alone may install it.',
    example: { pluginId: '{submittedPluginId}' },
  },
  publishPlugin: {
    ...patch(`${forAdmins}/publish`),
    purpose: 'Publishes a plugin that was handed in: everybody may install it then.',
    example: { pluginId: '{submittedPluginId}' },
  },
  withdrawPlugin: {
    ...patch(`${forAdmins}/unpublish`),
    purpose: 'Hands a plugin back to its maker, who alone may install it then.',
    example: { pluginId: '{submittedPluginId}' },
  },
}
