import { errorResponses } from '@gateleg/contract/error-responses'
import { errorStatusesOf } from '@gateleg/contract/error-statuses'
import { isAlsoByGet, type Operation } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import { errorCodes } from '@gateleg/domain/errors'
import { statusByKind } from '@gateleg/http-express/errors'
import { markdownTable } from './markdown-table.ts'
import { type OtherRoutes, otherInputs, otherRoutes } from './other-routes.ts'
import { whoMay } from './who-may.ts'

/** Where the page lies, from the root of the workspace. */
export const interfacePagePath = 'docs/interface.md'

const head = `# Interface

Every operation on one page, below \`/api\`. What each takes and answers is at \`/docs\` of a server and in its
\`/openapi.json\`; what holds for all of them, in [calls](calls.md). This page is made of the table of operations by
\`npx --yes pnpm@12 docs:interface\`, and a test compares them.

## Operations

Who may call an operation: everybody who has the named actions there, and no weaker [role](people.md#roles) than the one in
brackets. An access token needs the actions among its scopes, too. The letters of errors are explained [below](#errors).`

const errorsHead = `## Errors

Which errors an operation may be answered with, beside those that every call may get (the last table says which).`

const codesHead = `What the statuses mean, and the codes that come with them:`

const otherHead = `## Routes that are known from elsewhere

Programs that were written for another service with this interface may call more routes than there are. These are not here, for
the reason that is named, or under another name. All other routes that such programs know are operations above.`

const inputsHead = `## Routes that take something else

These have the path, but not the input, that such programs may know:`

/** The text of docs/interface.md. */
export function interfacePage(): string {
  const letters = errorLetters()
  const features = [...new Set(operations.map(({ feature }) => feature))]
  return [
    head,
    ...features.flatMap((feature) => [`### ${toTitle(feature)}`, tableOf(feature, letters)]),
    errorsHead,
    markdownTable(
      ['letter', 'statuses'],
      [...letters].map(([statuses, letter]) => [letter, statuses]),
    ),
    codesHead,
    codesTable(),
    otherHead,
    otherRoutes.map(toItem).join('\n'),
    inputsHead,
    otherInputs.map(toItem).join('\n'),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

function toTitle(feature: string): string {
  const words = feature.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function tableOf(feature: string, letters: ReadonlyMap<string, string>): string {
  const lines = operations
    .filter((operation) => operation.feature === feature)
    .map((operation) => [
      [
        operation.method,
        ...(operation.alsoBy ? [operation.alsoBy] : []),
        ...(isAlsoByGet(operation) ? (['GET'] as const) : []),
      ]
        .map((method) => `\`${method} ${operation.path}\``)
        .join(', '),
      operation.useCase.summary,
      String(operation.status),
      whoMay(operation.useCase.access.requirement),
      letters.get(ownStatusesOf(operation)) ?? '',
    ])
  return markdownTable(['operation', 'does', 'status', 'who may', 'errors'], lines)
}

/** Statuses that every call may be answered with. */
const statusesOfAll = operations
  .map((operation) => new Set(errorStatusesOf(operation)))
  .reduce((common, statuses) => common.intersection(statuses))

function ownStatusesOf(operation: Operation): string {
  return errorStatusesOf(operation)
    .filter((status) => !statusesOfAll.has(status))
    .join(', ')
}

/** A letter for each set of statuses, the most frequent ones first. */
function errorLetters(): ReadonlyMap<string, string> {
  const byStatuses = Map.groupBy(operations, ownStatusesOf)
  const sorted = [...byStatuses].sort(([, a], [, b]) => b.length - a.length)
  return new Map(
    sorted.map(([statuses], index) => [statuses, String.fromCharCode('A'.charCodeAt(0) + index)]),
  )
}

function codesTable(): string {
  const lines = Object.entries(errorResponses).map(([status, { description }]) => [
    status,
    Object.entries(errorCodes)
      .filter(([, kind]) => statusByKind[kind] === Number(status))
      .map(([code]) => `\`${code}\``)
      .join(', '),
    description,
    statusesOfAll.has(Number(status)) ? 'every' : '',
  ])
  return markdownTable(['status', 'codes', 'means', 'calls'], lines)
}

function toItem({ routes, instead }: OtherRoutes): string {
  return `- ${routes.map((route) => `\`${route}\``).join(', ')}: ${instead}`
}
