/** The text that a program sends. It names the token, so that no secret is ever searched for. */
export function toTokenText(tokenId: string, secret: string): string {
  return `gateleg_${tokenId}_${secret}`
}

/** The id of the access token, or of the grant of a plugin or an OAuth app, that a credential names; undefined when it is not of that form. */
export function findTokenId(credential: string): string | undefined {
  return /^gateleg_((?:acc|pgr|oag)[0-9A-Za-z]{16})_[0-9A-Za-z]+(?:_[0-9A-Za-z]+)?$/.exec(
    credential,
  )?.[1]
}
