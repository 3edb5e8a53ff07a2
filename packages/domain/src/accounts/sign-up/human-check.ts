/** Tells people from programs by a token that their browser was given. */
export interface HumanCheck {
  /**
   * Whether the token was given to a human, and was not used before. `failed_dependency` when that can't
   * be told now. The address is where the token came from, as far as known.
   */
  isHuman(token: string, address: string | undefined): Promise<boolean>
}
