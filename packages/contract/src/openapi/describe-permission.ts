import type { Requirement } from '@gateleg/domain/access/guard'
import type { Operation } from '../operation.ts'

/** The `security` of an operation that needs no account: none, or the token of a share. Others have the document's. */
export function securityOf({
  useCase,
  isPublic,
  isOfShare,
}: Operation): Readonly<Record<string, unknown>> {
  if (!isPublic) return {}
  const whoever = useCase.access.requirement.asksWho ? [{ bearer: [] }, { session: [] }] : []
  return { security: isOfShare ? [{}, { share: [] }, ...whoever] : [] }
}

/** Who may call the operation, as sentences for its description. */
export function describePermission({ useCase, isPublic, isOfShare }: Operation): string[] {
  const { requirement } = useCase.access
  if (isOfShare) {
    const signedIn = requirement.asksWho ? ' A form may ask visitors to sign in, too.' : ''
    return [
      `Public: the link of the share is enough, with its token where it asks for a password.${signedIn}`,
    ]
  }
  if (isPublic) return ['Public: any credential is ignored.']
  const sentences = [
    requirement.on === 'instance' ? 'For the administrator of the instance.' : '',
    requirement.actions.length > 0 ? describeActions(requirement) : '',
    requirement.sessionOnly ? 'Access tokens are not accepted.' : '',
  ]
  return sentences.filter((sentence) => sentence !== '')
}

function describeActions({
  actions,
  actionsByResource,
  enoughForOwn,
  lowestRole,
  on,
}: Requirement): string {
  if (actionsByResource && on === 'account') {
    const needs = Object.entries(actionsByResource).map(
      ([type, needed]) => `${allOf(needed)} for a ${type}`,
    )
    return `An access token needs ${needs.join(', ')}.`
  }
  if (actionsByResource) {
    const typesByNeed = Map.groupBy(Object.keys(actionsByResource), (type) =>
      allOf(actionsByResource[type] ?? []),
    )
    const [only, ...others] = typesByNeed.keys()
    if (only !== undefined && others.length === 0) return `Needs ${only} on the base.`
    const needs = [...typesByNeed].map(([need, types]) => `${need} for a ${types.join(' or ')}`)
    return `What it needs depends on what the node stands for: ${needs.join(', ')}.`
  }
  const own =
    enoughForOwn === undefined
      ? ''
      : `; for what is the caller's own, a role with \`${enoughForOwn}\` is enough, while an access token needs both scopes`
  const role = lowestRole === undefined ? '' : `, and the role \`${lowestRole}\` at least`
  return `Needs ${allOf(actions)} on the ${on}${own}${role}.`
}

function allOf(actions: readonly string[]): string {
  return actions.map((action) => `\`${action}\``).join(' and ')
}
