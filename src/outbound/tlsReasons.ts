/** Frequent codes of OpenSSL and Node, as the end of a sentence. */
const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate was revoked',
  CERT_REJECTED: 'its certificate is not accepted for a server',
  CERT_UNTRUSTED: 'its certificate is not trusted',
  INVALID_PURPOSE: 'its certificate is not meant for a server',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate was issued by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate was issued by an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate was issued by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate was issued by an unknown authority, or an intermediate certificate is missing',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate was issued for another host name',
  HOSTNAME_MISMATCH: 'its certificate was issued for another host name',
  EPROTO: 'there is no common TLS protocol',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on this port',
  ERR_SSL_HTTP_REQUEST: 'it does not speak TLS on this port',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'it speaks only outdated versions of TLS',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it speaks only outdated versions of TLS',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'there is no common cipher, or it requires a client certificate',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it requires a client certificate',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it does not recognize this host name',
  ERR_SSL_DH_KEY_TOO_SMALL: 'its keys are too weak',
  EE_KEY_TOO_SMALL: 'its keys are too weak',
  CA_MD_TOO_WEAK: 'the signature of its certificate is too weak',
};

/** X.509 verification codes have no common prefix; the second part matches their keywords. */
const TLS_CODE = /^(ERR_SSL_|ERR_TLS_)[A-Z0-9_]{1,60}$|^[A-Z_]*(CERT|CRL|SIGNATURE|ISSUER|PATH_LENGTH)[A-Z_]{0,60}$/;

/** Why a TLS connection failed, as the end of a sentence; null when the code is not about TLS. */
export const tlsReasonOf = (code: string): string | null => reasons[code] ?? (TLS_CODE.test(code) ? code : null);
