import type { AnyEvent, EventsByCategory, StreamCategory } from '../../../src/domain/events.ts';
import * as activity from './activity.ts';
import * as credential from './credential.ts';
import * as customer from './customer.ts';
import * as integrator from './integrator.ts';
import * as team from './team.ts';
import * as theme from './theme.ts';

type OneOfEach<E extends AnyEvent> = { readonly [Type in E['type']]: Extract<E, { type: Type }> };

/** An example of every event there is; a new one does not compile until it has one. */
export const everyEvent: { readonly [C in StreamCategory]: OneOfEach<EventsByCategory[C]> } = {
  customer: {
    CustomerRegistered: customer.customerRegistered(),
    LicenseIssued: customer.licenseIssued(),
    SeatsAllocated: customer.seatsAllocated(),
    SeatLimitsEnforced: customer.seatLimitsEnforced(),
    SeatLimitsRelaxed: customer.seatLimitsRelaxed(),
    CustomerDetailsChanged: customer.customerDetailsChanged({ company: null }),
    CustomerSuspended: customer.customerSuspended('unpaid'),
    CustomerReactivated: customer.customerReactivated(),
    CustomerChurned: customer.customerChurned(),
    ThemeAssigned: customer.themeAssigned(),
    ThemeUnassigned: customer.themeUnassigned(),
    LicenseKeyRotated: customer.licenseKeyRotated(),
    UserRegistered: customer.userRegistered('ada', { machineId: 'machine-1' }),
    UserDetailsChanged: customer.userDetailsChanged(),
    UserRoleChanged: customer.userRoleChanged('ada', 'admin'),
    UserMachineChanged: customer.userMachineChanged('ada', 'machine-2'),
    MachineApprovalRequested: customer.machineApprovalRequested(),
    MachineApproved: customer.machineApproved(),
    MachineRejected: customer.machineRejected(),
    MachineRemoved: customer.machineRemoved(),
    MachineApprovalEnforced: customer.machineApprovalEnforced(),
    MachineApprovalRelaxed: customer.machineApprovalRelaxed(),
    UserActivated: customer.userActivated('ada', 'back from leave'),
    UserDeactivated: customer.userDeactivated('ada', 'on leave'),
    UserSuspended: customer.userSuspended('ada', 'lost laptop'),
    SeatClaimed: customer.seatClaimed(),
    SeatReleased: customer.seatReleased(),
    PasswordChanged: customer.passwordChanged(),
    PasswordReset: customer.passwordReset(),
    AccountDeletionRequested: customer.accountDeletionRequested(),
    AccountDeletionWithdrawn: customer.accountDeletionWithdrawn(),
    CustomerDeleted: customer.customerDeleted(),
  },
  integrator: {
    IntegratorRegistered: integrator.integratorRegistered(),
    MasterLicenseIssued: integrator.masterLicenseIssued(),
    IntegratorProfileChanged: integrator.integratorProfileChanged(),
    IntegratorSuspended: integrator.integratorSuspended('unpaid'),
    IntegratorReactivated: integrator.integratorReactivated(),
    IntegratorChurned: integrator.integratorChurned(),
    WhiteLabelEnabled: integrator.whiteLabelEnabled(),
    WhiteLabelDisabled: integrator.whiteLabelDisabled(),
    BrandingChanged: integrator.brandingChanged(),
    CustomerEnrolled: integrator.customerEnrolled(),
    CustomerWithdrawn: integrator.customerWithdrawn(),
    MasterLicenseKeyRotated: integrator.masterLicenseKeyRotated(),
    IntegratorDeleted: integrator.integratorDeleted(),
  },
  themes: {
    ThemeCreated: theme.themeCreated(),
    ThemeRevised: theme.themeRevised(),
    ThemeMadeDefault: theme.themeMadeDefault(),
    ThemeActivated: theme.themeActivated(),
    ThemeDeactivated: theme.themeDeactivated(),
    ThemeDeleted: theme.themeDeleted(),
  },
  credential: {
    CredentialStored: credential.credentialStored({ apiToken: 'token', expiresAt: '2027-01-01T00:00:00Z' }),
    CredentialRevised: credential.credentialRevised({ password: 'secret-2', cleared: ['expiresAt'] }),
    CredentialTested: credential.credentialTested(),
    CredentialExpired: credential.credentialExpired(),
    CredentialDeleted: credential.credentialDeleted(),
  },
  userActivity: {
    UserAuthenticated: activity.userAuthenticated(),
    UserConnected: activity.userConnected(),
    UserDisconnected: activity.userDisconnected(),
  },
  apiCalls: { ApiCallsRecorded: activity.apiCallsRecorded() },
  adminActivity: {
    AdminSignedIn: activity.adminSignedIn(),
    AdminSignInRefused: activity.adminSignInRefused(),
    AdminKeyRotated: activity.adminKeyRotated(),
  },
  signIns: { SignInsRecorded: activity.signInsRecorded({ reason: 'unknown_license_key' }) },
  team: {
    MemberInvited: team.memberInvited(),
    InvitationWithdrawn: team.invitationWithdrawn(),
    MemberJoined: team.memberJoined(),
    MemberDetailsChanged: team.memberDetailsChanged(),
    MemberRoleChanged: team.memberRoleChanged(),
    MemberRemoved: team.memberRemoved(),
    MemberPasswordSet: team.memberPasswordSet(),
    SecondFactorEnabled: team.secondFactorEnabled(),
    SecondFactorDisabled: team.secondFactorDisabled(),
    RecoveryCodesReplaced: team.recoveryCodesReplaced(),
    RecoveryCodeUsed: team.recoveryCodeUsed(),
    MemberSessionsRevoked: team.memberSessionsRevoked(),
    SignInPolicyChanged: team.signInPolicyChanged(),
  },
};
