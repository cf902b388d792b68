import type { Generated } from 'kysely';

/** The tables of operators, and of their sessions, links, passkeys and API keys. */
export type OperatorTables = {
  operator: OperatorTable;
  one_time_secret: OneTimeSecretTable;
  operator_session: OperatorSessionTable;
  passkey: PasskeyTable;
  api_key: ApiKeyTable;
};

type OperatorTable = {
  id: Generated<string>;
  email: string;
  email_identity: string;
  name: string;
  role: 'owner' | 'viewer';
  created_at: Generated<Date>;
};

type OneTimeSecretTable = {
  secret_hash: string;
  purpose: 'link' | 'passkey' | 'new_passkey';
  operator_id: string | null;
  expires_at: Date;
};

type OperatorSessionTable = {
  id: Generated<string>;
  secret_hash: string;
  operator_id: string;
  device: string;
  created_at: Generated<Date>;
  last_used_at: Generated<Date>;
};

type PasskeyTable = {
  id: Generated<string>;
  credential_id: string;
  operator_id: string;
  name: string;
  public_key: string;
  sign_count: number;
  transports: string[];
  created_at: Generated<Date>;
  last_used_at: Date | null;
};

type ApiKeyTable = {
  id: Generated<string>;
  name: string;
  secret_hash: string;
  hint: string;
  scopes: string[];
  created_by: string | null;
  created_at: Generated<Date>;
  last_used_at: Date | null;
};
