import type { Scenario } from '../scenario.ts'

const table = '/api/table/{tableId}'
const view = `${table}/view/{viewId}`
const panelInstall = `${table}/plugin-panel/{pluginPanelId}/plugin/{panelInstallId}`
const asked = { fieldId: '{fieldId}', operator: 'isGreater', value: 1 } as const
const plugin = {
  name: 'Maps',
  logo: 'https://plugins.example.com/logo.png',
  positions: ['panel'],
} as const

/** A request with an object in which `member` stands: one whose members callers name, or that refuses unknown ones. */
interface Place extends Pick<Scenario, 'method' | 'path'> {
  readonly what: string
  readonly body: (member: object) => object
}

const placesOfValues: readonly Place[] = [
  {
    what: 'a new record',
    ...{ method: 'POST', path: `${table}/record` },
    body: (fields) => ({ records: [{ fields }] }),
  },
  {
    what: 'a record that is changed',
    ...{ method: 'PATCH', path: `${table}/record/{recordId}` },
    body: (fields) => ({ record: { fields } }),
  },
  {
    what: 'one of many records that are changed',
    ...{ method: 'PATCH', path: `${table}/record` },
    body: (fields) => ({ records: [{ id: '{recordId}', fields }] }),
  },
  {
    what: 'a record of a new table',
    ...{ method: 'POST', path: '/api/base/{baseId}/table' },
    body: (fields) => ({ records: [{ fields }] }),
  },
]

const placesOfSettings: readonly Place[] = [
  {
    what: 'the options of a field',
    ...{ method: 'POST', path: `${table}/field` },
    body: (options) => ({ type: 'number', options }),
  },
  {
    what: 'a choice of a field',
    ...{ method: 'POST', path: `${table}/field` },
    body: (more) => ({ type: 'singleSelect', options: { choices: [{ name: 'a', ...more }] } }),
  },
  {
    what: 'the options of a new view',
    ...{ method: 'POST', path: `${table}/view` },
    body: (options) => ({ type: 'grid', options }),
  },
  {
    what: 'the options of a view',
    ...{ method: 'PATCH', path: `${view}/options` },
    body: (options) => ({ options }),
  },
  {
    what: 'the columns of a new view',
    ...{ method: 'POST', path: `${table}/view` },
    body: (columnMeta) => ({ type: 'grid', columnMeta }),
  },
  {
    what: 'a column of a new view',
    ...{ method: 'POST', path: `${table}/view` },
    body: (column) => ({ type: 'grid', columnMeta: { '{fieldId}': column } }),
  },
  {
    what: 'a column of a view',
    ...{ method: 'PUT', path: `${view}/column-meta` },
    body: (columnMeta) => [{ fieldId: '{fieldId}', columnMeta }],
  },
  {
    what: 'a filter',
    ...{ method: 'PUT', path: `${view}/filter` },
    body: (more) => ({ filter: { conjunction: 'and', filterSet: [], ...more } }),
  },
  {
    what: 'an item of a filter',
    ...{ method: 'PUT', path: `${view}/filter` },
    body: (more) => ({ filter: { conjunction: 'and', filterSet: [{ ...asked, ...more }] } }),
  },
  {
    what: 'a sort',
    ...{ method: 'PUT', path: `${view}/sort` },
    body: (more) => ({ sort: { sortObjs: [{ fieldId: '{fieldId}', order: 'asc', ...more }] } }),
  },
  {
    what: 'the words of a plugin',
    ...{ method: 'POST', path: '/api/plugin' },
    body: (i18n) => ({ ...plugin, i18n }),
  },
]

/** Whatever a plugin keeps is its own, but for the name that programs lose when they copy what they read. */
const placesOfData: readonly Place[] = [
  {
    what: 'what a plugin keeps',
    ...{ method: 'PATCH', path: `${panelInstall}/update-storage` },
    body: (member) => ({ storage: { deep: [member] } }),
  },
  {
    what: 'how a plugin is shown',
    ...{ method: 'POST', path: '/api/plugin' },
    body: (config) => ({ ...plugin, config }),
  },
]

const names = ['__proto__', '\\u005f_proto__', 'constructor', 'hasOwnProperty']

function refuse(places: readonly Place[], name: string, more: Partial<Scenario>): Scenario[] {
  return places.map(({ what, method, path, body }) => ({
    title: `[HTTP-9] refuses a member named ${name} in ${what}`,
    as: 'owner',
    ...{ method, path },
    // Written in an object, the name would set its prototype.
    body: JSON.stringify(body({ member: {} })).replace('"member"', () => `"${name}"`),
    status: 400,
    code: 'validation_error',
    ...more,
  }))
}

/** Members that no object of the request has, under names that every object in JavaScript has. */
export const unknownMemberScenarios: readonly Scenario[] = [
  ...names.flatMap((name) => [
    ...refuse(placesOfValues, name, { status: 404, code: 'not_found' }),
    ...refuse(placesOfSettings, name, {}),
  ]),
  ...names.slice(0, 2).flatMap((name) => refuse(placesOfData, name, {})),
  {
    title: '[HTTP-9] refuses a member named __proto__ in a filter of a query',
    as: 'viewer',
    method: 'GET',
    path: `${table}/record?filter=${encodeURIComponent('{"__proto__":{},"conjunction":"and","filterSet":[]}')}`,
    status: 400,
    code: 'validation_error',
    contains: ['__proto__'],
  },
]
