"""What PageView is made of.

first_look   what a browser wants before anything else      still   the form that needs nothing running
"""
