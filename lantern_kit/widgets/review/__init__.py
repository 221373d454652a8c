"""What ProposalReview is made of.

reviewed   a proposal, an outcome and verdicts as plain data     outcome     what an apply with some choices would make
verdict    how a verdict is given, once                          unlocking   the key it is signed with
regions    where both sides look different      still      the form that needs nothing running
"""
