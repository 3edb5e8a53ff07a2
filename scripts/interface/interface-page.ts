import { errorResponses } from '@gateleg/contract/openapi/error-responses'
import { errorStatusesOf } from '@gateleg/contract/openapi/error-statuses'
import { isAlsoByGet, type Operation } from '@gateleg/contract/operation'
import { operations } from '@gateleg/contract/operations'
import { errorCodes } from '@gateleg/domain/errors'
import { statusByKind } from '@gateleg/http-express/errors'
import { markdownTable } from './markdown-table.ts'
import { type OtherRoutes, otherAnswers, otherInputs, otherRoutes } from './other-routes.ts'
import { whoMay } from './who-may.ts'

/** Where the page lies, from the root of the workspace. */
export const interfacePagePath = 'docs/interface.md'

const head = `# Interface

Every operation on one page, below \`/api\`. What each takes and answers is at \`/docs\` of a server and in its
\`/openapi.json\`; what holds for all of them, in [calls](calls.md). This page is made of the table of operations by
\`npx --yes pnpm@12 docs:interface\`, and a test compares them.

## Operations

Who may call an operation: everybody who has the named actions there, and no weaker [role](people.md#roles) than the one in
brackets. An access token needs the actions among its scopes, too. Where _their own_ is said, what is the caller's own takes a
role with the action behind it, and no stronger one; an access token needs all actions of the row for that as well. The letters of errors are explained [below](#errors).`

const errorsHead = `## Errors

Which errors an operation may be answered with, beside those that every call may get (the table of their meanings says which).`

const codesHead = `What the statuses mean, and the codes that come with them:`

const successesHead = `Beside the statuses in the tables above, a call that goes well may be answered:`

const otherHead = `## Routes that are known from elsewhere

Programs that were written for another service with this interface may call more routes than there are. These are not here, for
the reason that is named, or under another name. All other routes that such programs know are operations above.`

const inputsHead = `## Routes that take something else

These have the path, but not the input, that such programs may know:`

const answersHead = `## Routes that answer something else

These answer something else than such programs may expect. Many others answer more members, which is no difference to a program that
ignores those that it doesn't know.`

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
    successesHead,
    markdownTable(['status', 'means', 'calls'], successes),
    otherHead,
    otherRoutes.map(toItem).join('\n'),
    inputsHead,
    otherInputs.map(toItem).join('\n'),
    answersHead,
    otherAnswers.map(toItem).join('\n'),
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
      statusOf(operation),
      whoMay(operation.useCase.access.requirement),
      letters.get(ownStatusesOf(operation)) ?? '',
    ])
  return markdownTable(['operation', 'does', 'status', 'who may', 'errors'], lines)
}

/** The status of a success, and those by which browsers are sent on. */
function statusOf(operation: Operation): string {
  const { status, method, redirectsTo, takesForm, isForPeople } = operation
  const sendsOn = takesForm && redirectsTo !== undefined
  return [
    String(status),
    isAlsoByGet(operation) ? 'by `GET` 302' : [],
    isForPeople && method === 'GET' ? 'a browser that is not signed in 302' : [],
    sendsOn ? 'to a form 303' : [],
  ]
    .flat()
    .join('; ')
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

/** Statuses of paths rather than of operations, so that no operation tells of them. */
const ofPaths: Readonly<Record<string, string>> = {
  405: 'The path takes other methods, which the header `Allow` names',
}

/** What some statuses mean where there is no operation. */
const ofNoOperation: Readonly<Record<string, string>> = {
  404: ', or no operation at this path',
}

function codesTable(): string {
  const described = Object.entries(errorResponses).map(
    ([status, { description }]) =>
      [
        status,
        description + (ofNoOperation[status] ?? ''),
        statusesOfAll.has(Number(status)) ? 'every' : '',
      ] as const,
  )
  const others = Object.entries(ofPaths).map(([status, means]) => [status, means, 'every'] as const)
  const lines = [...described, ...others]
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([status, means, calls]) => [status, codesOf(Number(status)), means, calls])
  return markdownTable(['status', 'codes', 'means', 'calls'], lines)
}

function codesOf(status: number): string {
  return Object.entries(errorCodes)
    .filter(([, kind]) => statusByKind[kind] === status)
    .map(([code]) => `\`${code}\``)
    .join(', ')
}

/** Statuses that are no errors, beside those in the tables of operations. */
const successes: readonly (readonly [status: string, means: string, where: string])[] = [
  ['206', 'The part of a file that `Range` asks for', 'files'],
  ['302, 303', 'A browser is sent on to where `Location` says', 'where a table says so'],
  [
    '304',
    'What is there has the tag in `If-None-Match`; the body is empty',
    '`GET` of what has an `ETag`',
  ],
]

function toItem({ routes, instead }: OtherRoutes): string {
  return `- ${routes.map((route) => `\`${route}\``).join(', ')}: ${instead}`
}
